"""What commands may have written, told from their words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.shell_writes import LONGEST, Writes, shell_writes

READS = [
    "",
    "   ",
    "# only a remark",
    "ls -la",
    "cat a.py | head -5",
    "git status",
    "git --no-pager log --oneline -5 | cat",
    "git -C ../other diff HEAD~1 -- a.py",
    "git show HEAD:a.py",
    "grep -rn 'a > b' src",
    'grep -c ">" genes.fa',
    "echo a \\> b",
    'echo "it is > 3" && true',
    "awk '$1 > 3 {print $2}' a.txt",
    "sed -n 1,20p a.py",
    "find . -name '*.py' | xxd | wc -l",
    "grep x a.py 2>/dev/null",
    "ls missing 2>&1 | head",
    "ls >/dev/null 2>&1",
    "cat < a.txt",
    "cat <<< 'rm -rf x'",
    "diff <(sort a) <(sort b)",
    "/usr/bin/ls",
    "HERE=/tmp ls",
    "for f in *.py; do wc -l $f; done",
    "if [ -f a ]; then cat a; else pwd; fi",
    "cd src\nls\n",
    "ls # rm -rf x",
    "ls \\\n  -la",
    "cat <<EOF\nrm -rf x > y\nEOF\npwd",
    "echo $((1<<n))\nls",
    "ls\necho $((1<<ls))\nls -l",
    "{ ls; pwd; }",
    "echo oops > /dev/stderr",
    'echo "today: $(date)" `pwd`',
    "echo '$(rm a)' '`rm a`'",
]


@pytest.mark.parametrize("command", READS)
def test_reading(command: str) -> None:
    assert shell_writes(command) is None


LIKELY = [
    # Redirections.
    ("echo hi > a.txt", "a.txt"),
    ("echo hi>a.txt", "a.txt"),
    ("echo hi >> a.txt", "a.txt"),
    ("> a.txt", "a.txt"),
    ("pytest -q > out.log 2>&1", "out.log"),
    ("make &> all.log", "all.log"),
    ("ls 2> err.log", "err.log"),
    ("ls >| a.txt", "a.txt"),
    ("(cd src; ls)>list.txt", "list.txt"),
    ("{ ls; pwd; } > list.txt", "list.txt"),
    ('echo hi > "my file.txt"', "my file.txt"),
    ("echo hi > my\\ file.txt", "my file.txt"),
    ("sort < a.txt > b.txt", "b.txt"),
    ("echo 2 > two.txt; ls", "two.txt"),
    # Here-documents: their text is no command.
    ("cat > a.py <<'EOF'\nit's > x\nrm b\nEOF", "a.py"),
    ('cat <<EOF > a.py\ndef f(x) -> int:\n    return "\nEOF\nls', "a.py"),
    ("cat <<-END >> a.py\n\trm b\n\tEND\nrm c", "a.py c"),
    ('cat > a <<"A" ; cat > b <<B\n1 > x\nA\n2 > y\nB\n', "a b"),
    # Commands by name.
    ("rm -rf build dist", "build dist"),
    ("mv a.py b.py", "a.py b.py"),
    ("cp -r a b", "b"),
    ("touch a b", "a b"),
    ("mkdir -p src/x", "src/x"),
    ("ln -s a b", "b"),
    ("chmod +x run.sh", "run.sh"),
    ("chmod -R 755 bin", "bin"),
    ("truncate -s 0 a.log", "a.log"),
    ("dd if=a of=b.img bs=1M", "b.img"),
    ("rsync -a a/ b/", "b/"),
    ("patch -p1 < fix.diff", ""),
    ("tar xzf a.tgz", ""),
    ("unzip a.zip", ""),
    ("sed -i 's/a/b/' a.py b.py", "a.py b.py"),
    ("sed -i.bak -e 's/a/b/' a.py", "a.py"),
    ("sed -i s#a#b# a.py", "a.py"),
    ("perl -pi -e 's/a/b/' a.py", "a.py"),
    ("yq -i '.a = 1' a.yml", "a.yml"),
    # Parts of a command.
    ("cat a | tee -a log.txt", "log.txt"),
    ("printf x | sudo tee /etc/x", "/etc/x"),
    ("cp a b && rm c; ls", "b c"),
    ("ls # a remark\nrm a", "a"),
    ("# a remark\nrm a", "a"),
    ("ls http://x/#part && rm a", "a"),
    ("if [ -f a ]; then rm a; fi", "a"),
    ("while read l; do rm $l; done < list", "$l"),
    ("echo $(rm a)", "a"),
    ("echo \"it's $(rm a) isn't\"", "a"),
    ('echo "$(ls > a.txt)"', "a.txt"),
    ("echo `rm a`", "a"),
    ("ls > >(tee a)", "a"),
    ("rm a; rm a", "a"),
    ("LC_ALL=C rm a", "a"),
    # Subcommands that write, whatever their files are.
    ("git commit -m 'fix > all'", ""),
    ('git commit -m "$(cat <<\'EOF\'\nSay "hi" (it\'s done) > all\nEOF\n)"', ""),
    ("git checkout -- a.py", ""),
    ("git -C ../other checkout .", ""),
    ("git -c core.pager=cat stash pop", ""),
    ("npm install left-pad", ""),
    ("pip install -e .", ""),
    ("cargo fmt", ""),
    # Paths of Windows.
    ('echo hi > "C:\\Users\\dev\\a.txt"', "C:\\Users\\dev\\a.txt"),
    ("Get-Content a.txt > C:\\Users\\dev\\b.txt", "C:\\Users\\dev\\b.txt"),
]


@pytest.mark.parametrize(("command", "files"), LIKELY)
def test_writing(command: str, files: str) -> None:
    found = shell_writes(command)
    assert found is not None
    assert (" ".join(found.files), found.certainty) == (files, "likely")


UNKNOWN = [
    "python3 build.py",
    "make",
    "cd src && make test",
    "npm run build",
    "npx prettier --write .",
    "bash -c 'rm a'",
    "./run.sh",
    "find . -name '*.pyc' -delete",
    "find . -exec rm {} ;",
    "ls | xargs rm",
    "git co .",
    "sudo -u dev rm a",
    "curl -o a.html http://x",
    'echo "never closed',
    "echo 'never closed\nrm a",
    "Remove-Item a.txt",
]


@pytest.mark.parametrize("command", UNKNOWN)
def test_what_is_not_known_to_only_read(command: str) -> None:
    assert shell_writes(command) == Writes((), "unknown")


def test_what_is_very_long_is_not_looked_at() -> None:
    command = "ls " * (LONGEST // 3)
    assert shell_writes(command) is None
    assert shell_writes(command + "rm a") == Writes((), "unknown")


@given(st.text("ab '\"\\<>|&;()#$=-\n\t0/é", max_size=25))
def test_any_text_has_an_answer(command: str) -> None:
    found = shell_writes(command)
    assert found is None or found.certainty in ("likely", "unknown")
    assert found is None or found.certainty == "likely" or found.files == ()
