"""What README promises, and the tests that fail when it is broken.

A key is a piece of README as it stands there, white space aside. A test is ``file::function`` below
``tests``, ``vscode:NAME`` for a scenario, or ``client:NAME`` for a file of the client's unit tests.
"""

from __future__ import annotations

PROMISES: dict[str, tuple[str, ...]] = {
    # --- what it is ---
    "where you rewound, what you sent again": ("vscode:demo", "core/test_segments.py::test_tree"),
    "which answer a resume would go on from": (
        "core/test_real_sessions.py::test_it_goes_on_where_the_client_did_and_sends_the_same",
    ),
    "any other editor that speaks LSP can ask the same server": (
        "e2e/test_neovim.py::test_what_its_user_sees",
    ),
    "Nothing below the agent's folders is ever written": (
        "house/test_never_writes.py::test_a_full_tour_leaves_everything_as_it_was",
        "house/test_never_writes.py::test_no_module_calls_what_writes_to_disk",
        "e2e/test_nothing_is_written.py::test_a_request_leaves_everything_as_it_was",
    ),
    "nothing leaves the machine": (
        "house/test_no_network.py::test_a_tour_of_all_commands_connects_to_nothing",
        "house/test_no_network.py::test_a_server_connects_to_nothing",
    ),
    "no click resumes a session or changes a file": ("vscode:actions", "vscode:rewind"),
    "restoring a version asks first, edits the editor and saves nothing": ("vscode:restore",),
    "Unknown record types are kept and counted": (
        "e2e/test_health.py::test_unknown_types_with_counts_and_versions",
        "properties/test_decoding.py::test_any_object_is_a_record",
        "properties/test_every_record.py::test_anything",
    ),
    "a torn, huge or hostile file costs itself at most": (
        "disk/test_health.py::test_a_transcript_that_is_broken_everywhere",
        "e2e/test_tables_command.py::test_a_session_that_cannot_be_read_costs_its_own_rows",
    ),
    "Where two releases of Claude Code would go on from different records": (
        "core/test_client_rules.py::test_neighbours_on_both_sides_of_a_border_differ",
        "core/test_oracle.py::test_it_answers_the_probe_as_the_client_did",
    ),
    # --- see it, test it ---
    "Needs Python 3.11 or newer": (
        "house/test_versions.py::test_python_is_asked_for_in_the_same_version",
    ),
    "`--text` needs no editor and no Node.js": ("house/test_demo_text.py::test_it_prints",),
    "runs lint, types, unit, property, end-to-end and house tests": (
        "house/test_readme.py::test_its_commands_and_links_lead_somewhere",
    ),
    # --- install it ---
    "It carries the server and its libraries for CPython 3.11 to 3.14": (
        "house/test_packages.py::test_a_target_with_all_natives_is_complete",
        "house/test_packages.py::test_every_wheel_of_every_target_has_its_hash",
    ),
    "The extension for each platform carries it": (
        "house/test_scanner_packages.py::test_each_target_takes_its_own_and_no_other_s",
        "house/test_scanner_packages.py::test_it_has_the_name_that_a_python_there_looks_for",
        "house/test_scanner_packages.py::test_it_compiles_with_the_headers_for_any_platform",
    ),
    "nothing is downloaded or set up: a Python on the machine is enough": ("vscode:installed",),
    "The status bar then says *slower*, and Health why": ("vscode:installed_universal",),
    "each with a list of what it carries": (
        "house/test_packages.py::test_wheels_are_merged_with_their_licences",
    ),
    "answers are the same, they come later": (
        "e2e/test_without_natives.py::test_answers_are_the_same",
        "e2e/test_without_natives.py::test_changes_are_noticed_and_it_says_why_late",
    ),
    "For the terminal and other editors, `pip install .` or `pipx install .`": (
        "house/test_wheel.py::test_it_runs_with_what_it_says_it_needs",
        "house/test_wheel.py::test_its_server_speaks_with_what_it_says_it_needs",
        "house/test_wheel.py::test_all_of_the_server_is_in_it",
    ),
    # --- in VS Code ---
    "*Get Started* in the command palette is a walkthrough": ("vscode:first_steps",),
    "A click opens a readable transcript, whose lines lead to": ("vscode:reading", "vscode:demo"),
    "*Show Where It Parted* opens a fork at the last record": ("vscode:family",),
    "asks before it runs anything, with the price when that is high": (
        "vscode:cache_clock",
        "client:resumeQuestion.test.ts",
    ),
    "the active branch first, with the record that a resume goes on from": ("vscode:demo",),
    "While an agent works, the view can follow it": ("vscode:live",),
    "every version that Claude Code kept of the file, over all sessions": (
        "vscode:checkpoints",
        "e2e/test_checkpoints.py::test_every_copy_is_one_version_with_its_bytes",
    ),
    "become the baseline of the editor's gutter": ("vscode:baseline",),
    "put back as an edit that can be undone": ("vscode:restore",),
    "rebuilt from its patches, and each says how it was obtained": ("vscode:codex_checkpoints",),
    "A tool call on a file leads to the edited place": (
        "vscode:jump",
        "e2e/test_locate.py::test_an_edit_below_lines_that_somebody_added",
    ),
    "whether the next prompt would find its prefix in the prompt cache": (
        "vscode:cache",
        "e2e/test_cache_truth.py::test_the_forecast_is_what_happened",
    ),
    "A clock in the status bar counts down": ("vscode:cache_clock",),
    "what going back would do to each file, what it would not undo": (
        "vscode:rewind",
        "disk/test_rewinds.py::test_the_preview_foretells_what_the_client_did",
    ),
    "a row opens the transcript at its record": ("vscode:search",),
    "the hits can be kept in a view": ("vscode:search_results",),
    "what was spent today, in the last days and in all": ("vscode:usage",),
    "draws how its context filled up": ("vscode:usage",),
    "Tells what is odd and leads to the raw line": ("vscode:health",),
    "outline, folding, hover, links, marks at fork points and problems": ("vscode:outline",),
    "it holds no content, no path and no name, and nothing is sent by itself": (
        "vscode:issue_report",
        "client:issueReport.test.ts",
        "disk/test_health.py::test_nothing_that_stands_on_the_machine_is_in_the_report",
    ),
    "A workspace that is not trusted cannot choose": ("client:manifest.test.ts",),
    # --- in a terminal, Codex ---
    "Without them the folders are": (
        "e2e/test_command_line.py::test_without_an_option_the_environment_says_where",
        "e2e/test_codex_command_line.py::test_the_environment_says_where_the_home_is",
    ),
    "A refused question prints": ("e2e/test_command_line.py::test_a_refused_call",),
    "A turn that was rolled back is an abandoned branch": ("vscode:codex",),
    "without either they are listed, and say so": (
        "core/test_unpacked.py::test_without_a_library_it_says_so",
        "disk/test_threads.py::test_nobody_can_read_it",
    ),
    # --- in an editor ---
    "`watch` (`auto`, `poll` or `off`)": (
        "e2e/test_watch_ways.py::test_polling_tells_the_same",
        "e2e/test_watch_ways.py::test_without_watching_answers_are_fresh_all_the_same",
    ),
    "tells what changed in the list": ("e2e/test_watch.py::test_the_list_is_told_of_it_too",),
    "is error -32001 with `data.kind`": ("e2e/test_bad_input.py::test_an_unknown_session",),
    "parameters that do not fit are -32602": (
        "e2e/test_bad_input.py::test_what_does_not_fit_is_told",
    ),
    "a hover that says what a record is": (
        "e2e/test_document_features.py::test_hover_on_a_call",
        "e2e/test_document_features.py::test_children",
        "e2e/test_document_features.py::test_problems",
    ),
    "a file that is not listed below a config folder is not looked at": (
        "e2e/test_document_features.py::test_a_transcript_elsewhere_is_not_looked_at",
    ),
    "`gO` shows the outline": ("e2e/test_neovim.py::test_ways",),
    "the marks then run it with": ("e2e/test_document_features.py::test_lenses",),
    # --- searching ---
    "whatever their case and accents": (
        "core/test_search_query.py::test_what_a_text_asks_for",
        "e2e/test_search.py::test_what_a_query_finds",
        "properties/test_searching.py::test_a_search_finds_what_a_plain_scan_finds",
    ),
    "What a fork copied is found once": (
        "e2e/test_family.py::test_copies_are_found_once_with_the_oldest",
    ),
    # --- health ---
    "lists record types and fields that no known client writes": (
        "disk/test_health.py::test_what_is_planted_is_found_and_nothing_else",
    ),
    "What the client deletes by its own rules, or goes on writing, is nothing odd": (
        "disk/test_health.py::test_copies_that_the_client_deletes_itself_are_no_finding",
        "disk/test_health.py::test_what_a_running_client_is_about_to_write_is_no_finding",
    ),
    "Told is how many sessions go within seven days": (
        "disk/test_retention.py::test_what_goes_within_seven_days",
        "disk/test_retention.py::test_projects_that_have_more_deleted",
    ),
    "without content, ids, paths or projects": (
        "disk/test_health.py::test_nothing_that_stands_on_the_machine_is_in_the_report",
        "disk/test_health.py::test_the_report_names_no_place",
    ),
    # --- usage ---
    "also of those that programs drove or that were archived": (
        "e2e/test_usage.py::test_sessions_of_programs_and_archived_ones_cost_as_well",
    ),
    "which are those of `--time-zone`": ("e2e/test_usage.py::test_days_are_those_of_the_zone",),
    "A response counts once": (
        "disk/test_accounts.py::test_each_response_counts_once",
        "e2e/test_usage.py::test_copies_count_once_over_both_files",
    ),
    "a sum of nothing but these has no dollars, not none": (
        "e2e/test_usage.py::test_no_known_price_is_null_and_counted",
    ),
    "`--json` prints the answer of `forkpoint/usage`": (
        "e2e/test_command_line.py::test_json_of_the_commands_is_that_of_the_requests",
    ),
    # --- exports ---
    "An export has every record of a path": (
        "properties/test_exports.py::test_every_record_of_a_recording_stands_in_it_once",
    ),
    "one file without scripts or addresses": (
        "core/test_export.py::test_a_page_says_what_a_browser_may_load",
        "core/test_export.py::test_in_a_page_nothing_from_a_transcript_is_markup",
    ),
    "`--leaf UUID` takes another branch": (
        "e2e/test_export_command.py::test_a_branch_and_a_subagent",
    ),
    "The same secret gets the same placeholder": (
        "properties/test_exports.py::test_the_same_secret_is_the_same_placeholder",
        "properties/test_exports.py::test_no_planted_secret_stays",
    ),
    "No secret is ever verified, so none leaves the machine": (
        "core/test_redaction.py::test_the_library_is_asked_nothing_over_the_network",
    ),
    "never below an agent's folder, and never over a file without `--force`": (
        "e2e/test_export_command.py::test_nothing_is_written_below_an_agents_folder",
        "e2e/test_export_command.py::test_a_file_that_is_there_stays_unless_that_is_asked_for",
    ),
    "no number is another one here": (
        "e2e/test_tables.py::test_the_tables_are_what_forkpoint_call_prints",
        "e2e/test_tables_command.py::test_the_queries_of_the_readme_run_as_they_stand",
    ),
    "takes only sessions of this folder or its repository": (
        "e2e/test_tables_command.py::test_only_sessions_of_some_folders",
    ),
    "the machine is named only if": (
        "e2e/test_tables_command.py::test_a_machine_is_named_only_if_that_is_asked_for",
        "e2e/test_tables_command.py::test_no_text_is_written_unasked",
    ),
    "files that are there stay without `--force`": (
        "e2e/test_tables_command.py::test_what_is_there_stays_unless_that_is_asked_for",
        "e2e/test_tables_command.py::test_who_is_killed_leaves_no_half_table",
    ),
    "Without pyarrow it is 1, and nothing happens": (
        "e2e/test_tables_command.py::test_without_pyarrow_nothing_is_read_or_written",
        "e2e/test_tables_command.py::test_a_session_that_cannot_be_read_costs_its_own_rows",
    ),
    # --- privacy ---
    "Forkpoint makes no connection": (
        "house/test_no_network.py::test_a_tour_of_all_commands_connects_to_nothing",
        "house/test_no_network.py::test_a_server_connects_to_nothing",
    ),
    "Both may be deleted at any time": (
        "disk/test_store.py::test_whatever_is_damaged_is_right_or_absent",
        "disk/test_store.py::test_a_store_of_another_release_is_begun_anew",
        "disk/test_search_file.py::test_another_release_s_or_a_damaged_file_is_begun_anew",
    ),
    "readable for you alone": ("disk/test_store.py::test_nobody_else_may_read_it",),
    "both are off by default": (
        "e2e/test_status_line_clock.py::test_it_is_not_read_unless_it_may_be",
    ),
    "its output and exit code are what Claude Code sees": (
        "e2e/test_status_line_command.py::test_the_status_line_behind_it_goes_on_as_it_was",
    ),
    "No prompts, paths or costs": (
        "disk/test_status_line.py::test_it_keeps_these_fields_in_one_private_file",
    ),
    # --- limits ---
    "each cause with how sure it is": ("e2e/test_cache_examples.py::test_what_will_be",),
    "told as not covered, or seen as an edit by hand": (
        "e2e/test_not_covered.py::test_files_that_a_command_names_as_written",
        "disk/test_hand_edits.py::test_one_line_more_is_somebody_else_s",
    ),
    "A newer release is read by the last rule that is known": (
        "core/test_client_rules.py::test_an_unknown_version_counts_as_the_newest",
    ),
    "opens in parts of at most 512 KiB": (
        "core/test_readable.py::test_the_oldest_rows_are_left_out",
    ),
    "lists in answers end at 500 entries, while their numbers are whole": (
        "disk/test_health.py::test_very_many_findings_are_told_in_numbers",
    ),
    "Pictures are neither searched nor redacted": (
        "core/test_export.py::test_a_redaction_shows_no_picture",
    ),
    "`FORKPOINT_PURE=1` in the environment turns it off": (
        "core/test_native.py::test_it_may_be_turned_off",
        "core/test_native.py::test_damaged_lines_give_what_the_general_way_gives",
    ),
    "What is asked of a home takes at most 160 MB": ("disk/test_bounds.py::test_a_bound",),
    "No answer is longer than 4 MB there": ("disk/test_bounds.py::test_a_bound",),
    # --- over a port ---
    "any other is refused": ("e2e/test_listening.py::test_no_other_machine_is_listened_to",),
    "Clients must know a token of at least 16 characters": (
        "e2e/test_listening.py::test_without_the_token_nothing_is_answered",
        "e2e/test_listening.py::test_nobody_is_listened_to_without_a_token",
    ),
    "A page of a browser is let in only from where": (
        "e2e/test_listening.py::test_a_page_from_elsewhere_is_refused",
    ),
    # --- how it compares ---
    "after all answers of both had been compared": (
        "house/test_bench.py::test_all_answers_about_a_corpus_are_right",
        "house/test_bench.py::test_a_wrong_answer_is_seen",
    ),
    "all four sums are equal in all 57": (
        "e2e/test_usage.py::test_recordings_come_to_what_their_lines_say",
    ),
}

PLAIN = (
    "Neovim (0.11 or newer):",
    "Helix, in `languages.toml`:",
    "Emacs, with Eglot:",
    "Eglot shows problems only where",
    "When a prompt cache expires is reckoned",
    "All of this is tested on Linux",
    "How it is built",
)
"""Beginnings of what promises nothing of Forkpoint, or says where more stands."""
