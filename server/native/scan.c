/*
 * One pass over the usual lines of a transcript, straight into columns.
 *
 * It does for a chunk what `records/usual.py` and `exchanges.py` do line by line, for those lines of
 * which there is nothing else to say: answers with one block, results, notes of the client. Python
 * objects cost more there than the bytes do; here a line that is a row of numbers in the end never
 * is an object. `scanned.py` takes the columns on, and is where each of them is described.
 *
 * Whatever is not as expected is left (code `LEFT`) to Python, which knows all lines: no line is
 * refused here, and nothing is mended. So this may be narrower than Python, but never wider: what
 * msgspec finds malformed in a value that nobody reads is to be left, too.
 *
 * Bounds: each buffer ends with LF, which no token of JSON takes in, and nothing steps over a byte
 * before it has looked at it. Only `plain_run` reads more than a byte at a time, and knows the limit.
 * Nothing outlives a call of `scan`. Behind it stand two smaller helpers, of their own.
 */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef const unsigned char *At;

/* --- JSON: each gives where it ends, or NULL for what is to be left ------------------------- */

#define DEEPEST 64

typedef struct {
    At at; /* behind the quote; NULL where there is none, or null */
    Py_ssize_t size;
    int is_escaped;
} Text;

static At value_end(At at, At limit, int depth);

static At after_blanks(At at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* To the first byte that is no plain one: a quote, a backslash, or a control character. */
static At plain_run(At at, At limit)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    const __m128i control = _mm_set1_epi8(0x1f);
    while (limit - at >= 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at);
        __m128i found = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
            _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
        int mask = _mm_movemask_epi8(found);
        if (mask)
            return at + __builtin_ctz((unsigned)mask);
        at += 16;
    }
#else
    (void)limit;
#endif
    while (*at >= 0x20 && *at != '"' && *at != '\\')
        at++;
    return at;
}

static int hex_digit(unsigned char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static int hex_four(At at)
{
    int value = 0;
    for (int place = 0; place < 4; place++) {
        int digit = hex_digit(at[place]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* Behind `\`; of a pair of surrogates both are taken. */
static At after_escape(At at)
{
    switch (*at) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        return at + 1;
    case 'u':
        break;
    default:
        return NULL;
    }
    int unit = hex_four(at + 1);
    if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF))
        return NULL;
    if (unit < 0xD800 || unit > 0xDFFF)
        return at + 5;
    if (at[5] != '\\' || at[6] != 'u')
        return NULL;
    unit = hex_four(at + 7);
    return unit >= 0xDC00 && unit <= 0xDFFF ? at + 11 : NULL;
}

static At string_end(At at, At limit, Text *text)
{
    At begin = ++at;
    int is_escaped = 0;
    for (;;) {
        at = plain_run(at, limit);
        if (*at == '"')
            break;
        if (*at != '\\' || !(at = after_escape(at + 1)))
            return NULL;
        is_escaped = 1;
    }
    if (text) {
        text->at = begin;
        text->size = at - begin;
        text->is_escaped = is_escaped;
    }
    return at + 1;
}

static At digits_end(At at)
{
    if (*at < '0' || *at > '9')
        return NULL;
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

static At number_end(At at)
{
    if (*at == '-')
        at++;
    at = *at == '0' ? at + 1 : digits_end(at);
    if (at && *at == '.')
        at = digits_end(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        at++;
        at = digits_end(*at == '+' || *at == '-' ? at + 1 : at);
    }
    return at;
}

/* A word such as `null`, compared byte by byte: LF ends it at the latest. */
static At word_end(At at, const char *word)
{
    for (; *word; word++, at++)
        if (*at != (unsigned char)*word)
            return NULL;
    return at;
}

static At name_end(At at, At limit, Text *name)
{
    if (*at != '"' || !(at = string_end(at, limit, name)))
        return NULL;
    at = after_blanks(at);
    return *at == ':' ? after_blanks(at + 1) : NULL;
}

/* What reads a member's value, by its name. */
typedef At (*Member)(void *into, const Text *name, At at, At limit);

/* Behind `{`. Without a `member`, all values are skipped. */
static At members_end(At at, At limit, int depth, Member member, void *into)
{
    Text name;
    at = after_blanks(at);
    if (*at == '}')
        return at + 1;
    for (;;) {
        if (!(at = name_end(at, limit, &name)))
            return NULL;
        if (member && name.is_escaped)
            return NULL;
        at = member ? member(into, &name, at, limit) : value_end(at, limit, depth);
        if (!at)
            return NULL;
        at = after_blanks(at);
        if (*at == '}')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = after_blanks(at + 1);
    }
}

/* Behind `[`. */
static At items_end(At at, At limit, int depth)
{
    at = after_blanks(at);
    if (*at == ']')
        return at + 1;
    for (;;) {
        if (!(at = value_end(at, limit, depth)))
            return NULL;
        at = after_blanks(at);
        if (*at == ']')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = after_blanks(at + 1);
    }
}

static At value_end(At at, At limit, int depth)
{
    switch (*at) {
    case '"':
        return string_end(at, limit, NULL);
    case '{':
        return depth < DEEPEST ? members_end(at + 1, limit, depth + 1, NULL, NULL) : NULL;
    case '[':
        return depth < DEEPEST ? items_end(at + 1, limit, depth + 1) : NULL;
    case 'n':
        return word_end(at, "null");
    case 't':
        return word_end(at, "true");
    case 'f':
        return word_end(at, "false");
    default:
        return number_end(at);
    }
}

/* --- values of a kind ------------------------------------------------------------------------ */

static At skipped(At at, At limit)
{
    return value_end(at, limit, 1);
}

static At text_end(At at, At limit, Text *text)
{
    return *at == '"' ? string_end(at, limit, text) : word_end(at, "null");
}

/* true, false or null. */
static At flag_end(At at, int *flag)
{
    *flag = *at == 't';
    if (*at == 't')
        return word_end(at, "true");
    return *at == 'f' ? word_end(at, "false") : word_end(at, "null");
}

/* A count that fits a column of `usage.py`; all its bits are something else there. */
static At count_end(At at, int64_t *count)
{
    At begin = at;
    at = *at == '0' ? at + 1 : digits_end(at);
    if (!at || at - begin > 10 || *at == '.' || *at == 'e' || *at == 'E')
        return NULL;
    *count = 0;
    for (; begin < at; begin++)
        *count = *count * 10 + (*begin - '0');
    return *count < UINT32_MAX ? at : NULL;
}

static int is_named(const Text *text, const char *name)
{
    size_t size = strlen(name);
    return text->at && text->size == (Py_ssize_t)size && !memcmp(text->at, name, size);
}

static int is_same(const Text *one, const Text *other)
{
    if (!one->at || !other->at)
        return one->at == other->at;
    return one->size == other->size && !memcmp(one->at, other->at, (size_t)one->size);
}

/* The place of a text in a list of names that NULL ends; -1 if it is in none. */
static int place_of(const Text *text, const char *const *names)
{
    for (int place = 0; names[place]; place++)
        if (is_named(text, names[place]))
            return place;
    return -1;
}

/* --- what is read of a line ------------------------------------------------------------------ */

/* Codes as in `exchanges.py` and `batches.py`; `scanned.py` compares them. */
enum {
    UNUSUAL, ANSWER, PROSE, CALLING, RESULT, SUMMARY, WORDS, ATTACHMENT, SYSTEM, PROGRESS,
    MODE, PERMISSION_MODE, QUEUE_OPERATION, LAST_PROMPT, AI_TITLE, SNAPSHOT, DELTA,
    LEFT = 255
};

static const char *const ROW_TYPES[] = {"assistant", "user", "attachment", "system", "progress",
                                        NULL};
static const char *const STATE_TYPES[] = {"mode", "permission-mode", "queue-operation",
                                          "last-prompt", "ai-title", "file-history-snapshot",
                                          "file-history-delta", NULL};
static const char *const OWN_ROLES[] = {"compact_boundary", "local_command", "api_error", NULL};
static const char *const BLOCK_TYPES[] = {"text", "tool_use", "tool_result", "thinking",
                                          "redacted_thinking", "image", "document", NULL};
static const char *const LIFETIMES[] = {"5m", "1h", "off", NULL};
/* Attachments of which Python has something to say (`batches`, `work_lines.ATTACHMENTS`). */
static const char *const TOLD_ATTACHMENTS[] = {
    "queued_command", "hook_success", "environment", "prompt_snapshot", "deferred_tools_delta",
    "edited_text_file", "prompt_render_point", NULL};

enum { CLIENT_FIELDS = 5, COUNTS = 5 };

typedef struct {
    Text type, id, name, answers, file, notebook;
    int is_error;
} Block;

typedef struct {
    int64_t input, output, cache_read, written, short_lived, long_lived;
} Counts;

/* A line of the history of files: the object of all entries, or the one of `path`. */
typedef struct {
    Text row, other, path, prompt, entries;
    int has_snapshot, is_update;
} History;

typedef struct {
    uint64_t seen;
    Text type, subtype, uuid, parent, timestamp, lifetime;
    Text client[CLIENT_FIELDS]; /* in the order of `usual.Client` */
    int is_sidechain, is_meta, is_summary, is_rare, is_odd, has_attachment, has_rendered;
    Text attached;
    int has_message, has_words, has_usage, blocks;
    Text message_id, model;
    Block block;
    Counts counts;
    Text words, last_prompt, leaf, title, source;
    int has_leaf, is_explicit, is_rewound;
    History history;
} Line;

/* Of a name that stands twice the last one counts; Python knows. */
static int is_first(uint64_t *seen, int field)
{
    uint64_t bit = (uint64_t)1 << field;
    if (*seen & bit)
        return 0;
    *seen |= bit;
    return 1;
}

typedef struct {
    void *into;
    uint64_t seen;
} Shape;

static At input_member(void *into, const Text *name, At at, At limit)
{
    Shape *shape = into;
    Block *block = shape->into;
    if (is_named(name, "file_path"))
        return is_first(&shape->seen, 0) ? text_end(at, limit, &block->file) : NULL;
    if (is_named(name, "notebook_path"))
        return is_first(&shape->seen, 1) ? text_end(at, limit, &block->notebook) : NULL;
    return skipped(at, limit);
}

static At input_end(At at, At limit, Block *block)
{
    Shape shape = {block, 0};
    return *at == '{' ? members_end(at + 1, limit, 5, input_member, &shape) : word_end(at, "null");
}

static At block_member(void *into, const Text *name, At at, At limit)
{
    static const char *const NAMES[] = {"type", "id", "name", "tool_use_id", "input", "is_error",
                                        NULL};
    Shape *shape = into;
    Block *block = shape->into;
    int field = place_of(name, NAMES);
    if (field < 0)
        return skipped(at, limit);
    if (!is_first(&shape->seen, field))
        return NULL;
    switch (field) {
    case 0: return text_end(at, limit, &block->type);
    case 1: return text_end(at, limit, &block->id);
    case 2: return text_end(at, limit, &block->name);
    case 3: return text_end(at, limit, &block->answers);
    case 4: return input_end(at, limit, block);
    default: return flag_end(at, &block->is_error);
    }
}

/* Behind `[`: no block, or one. */
static At blocks_end(At at, At limit, Line *line)
{
    at = after_blanks(at);
    if (*at == ']')
        return at + 1;
    Shape shape = {&line->block, 0};
    if (*at != '{' || !(at = members_end(at + 1, limit, 4, block_member, &shape)))
        return NULL;
    line->blocks = 1;
    at = after_blanks(at);
    return *at == ']' ? at + 1 : NULL;
}

static At content_end(At at, At limit, Line *line)
{
    if (*at == '[')
        return blocks_end(at + 1, limit, line);
    line->has_words = *at == '"';
    return line->has_words ? string_end(at, limit, &line->words) : word_end(at, "null");
}

static At split_member(void *into, const Text *name, At at, At limit)
{
    Shape *shape = into;
    Counts *counts = shape->into;
    if (is_named(name, "ephemeral_5m_input_tokens"))
        return is_first(&shape->seen, 0) ? count_end(at, &counts->short_lived) : NULL;
    if (is_named(name, "ephemeral_1h_input_tokens"))
        return is_first(&shape->seen, 1) ? count_end(at, &counts->long_lived) : NULL;
    return skipped(at, limit);
}

static At split_end(At at, At limit, Counts *counts)
{
    Shape shape = {counts, 0};
    return *at == '{' ? members_end(at + 1, limit, 5, split_member, &shape) : word_end(at, "null");
}

/* The default speed; what is billed otherwise is Python's. */
static At speed_end(At at, At limit)
{
    Text speed = {NULL, 0, 0};
    at = text_end(at, limit, &speed);
    return !speed.at || is_named(&speed, "standard") ? at : NULL;
}

static At usage_member(void *into, const Text *name, At at, At limit)
{
    static const char *const NAMES[] = {
        "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
        "cache_creation", "iterations", "speed", NULL};
    Shape *shape = into;
    Counts *counts = shape->into;
    int field = place_of(name, NAMES);
    if (field < 0)
        return skipped(at, limit);
    if (!is_first(&shape->seen, field))
        return NULL;
    switch (field) {
    case 0: return count_end(at, &counts->input);
    case 1: return count_end(at, &counts->output);
    case 2: return count_end(at, &counts->cache_read);
    case 3: return count_end(at, &counts->written);
    case 4: return split_end(at, limit, counts);
    case 5: return *at == '[' ? word_end(at, "[]") : word_end(at, "null");
    default: return speed_end(at, limit);
    }
}

static At usage_end(At at, At limit, Line *line)
{
    Shape shape = {&line->counts, 0};
    line->has_usage = *at == '{';
    if (!line->has_usage)
        return word_end(at, "null");
    return members_end(at + 1, limit, 4, usage_member, &shape);
}

static At message_member(void *into, const Text *name, At at, At limit)
{
    static const char *const NAMES[] = {"id", "model", "content", "usage", NULL};
    Shape *shape = into;
    Line *line = shape->into;
    int field = place_of(name, NAMES);
    if (field < 0)
        return skipped(at, limit);
    if (!is_first(&shape->seen, field))
        return NULL;
    switch (field) {
    case 0: return text_end(at, limit, &line->message_id);
    case 1: return text_end(at, limit, &line->model);
    case 2: return content_end(at, limit, line);
    default: return usage_end(at, limit, line);
    }
}

static At message_end(At at, At limit, Line *line)
{
    Shape shape = {line, 0};
    line->has_message = *at == '{';
    if (!line->has_message)
        return word_end(at, "null");
    return members_end(at + 1, limit, 3, message_member, &shape);
}

/* A result that names a subagent or a task is Python's. */
static At result_member(void *into, const Text *name, At at, At limit)
{
    (void)into;
    if (is_named(name, "agentId") || is_named(name, "backgroundTaskId") || is_named(name, "isAsync"))
        return word_end(at, "null");
    return skipped(at, limit);
}

static At result_end(At at, At limit)
{
    if (*at == '{')
        return members_end(at + 1, limit, 3, result_member, NULL);
    return *at == '"' || *at == '[' ? skipped(at, limit) : word_end(at, "null");
}

static At attachment_member(void *into, const Text *name, At at, At limit)
{
    Shape *shape = into;
    if (is_named(name, "type"))
        return is_first(&shape->seen, 0) ? text_end(at, limit, shape->into) : NULL;
    return skipped(at, limit);
}

static At attachment_end(At at, At limit, Line *line)
{
    Shape shape = {&line->attached, 0};
    line->has_attachment = *at == '{';
    if (!line->has_attachment)
        return word_end(at, "null");
    return members_end(at + 1, limit, 3, attachment_member, &shape);
}

/* As it is written. */
static At raw_end(At at, At limit, Text *raw)
{
    At end = skipped(at, limit);
    raw->at = at;
    raw->size = end ? end - at : 0;
    return end;
}

static At snapshot_member(void *into, const Text *name, At at, At limit)
{
    Shape *shape = into;
    History *history = shape->into;
    if (is_named(name, "messageId"))
        return is_first(&shape->seen, 0) ? text_end(at, limit, &history->prompt) : NULL;
    if (is_named(name, "trackedFileBackups"))
        return is_first(&shape->seen, 1) ? raw_end(at, limit, &history->entries) : NULL;
    return skipped(at, limit);
}

static At snapshot_end(At at, At limit, History *history)
{
    Shape shape = {history, 0};
    history->has_snapshot = *at == '{';
    if (!history->has_snapshot)
        return word_end(at, "null");
    return members_end(at + 1, limit, 3, snapshot_member, &shape);
}

/* What few rows have; to the others it is null. */
static At other_end(At at, At limit, int *is_there)
{
    *is_there |= *at != 'n';
    return skipped(at, limit);
}

enum {
    F_TYPE, F_SUBTYPE, F_UUID, F_PARENT, F_TIMESTAMP, F_LIFETIME, F_ENTRYPOINT, F_CWD, F_SESSION,
    F_VERSION, F_BRANCH, F_SIDECHAIN, F_META, F_SUMMARY, F_MESSAGE, F_RESULT, F_ATTACHMENT,
    F_RENDERED, F_FORKED, F_ORIGIN, F_SOURCE, F_DENIAL, F_API_ERROR, F_ROW, F_SNAPSHOT, F_UPDATE,
    F_SNAPSHOT_ROW, F_PATH, F_BACKUP, F_LAST_PROMPT, F_LEAF, F_EXPLICIT, F_REWOUND, F_TITLE
};

typedef struct {
    const char *name;
    int field;
} Field;

/* By the length of the name. */
static const Field FIELDS_3[] = {{"cwd", F_CWD}, {NULL, 0}};
static const Field FIELDS_4[] = {{"type", F_TYPE}, {"uuid", F_UUID}, {NULL, 0}};
static const Field FIELDS_6[] = {{"isMeta", F_META}, {"origin", F_ORIGIN}, {"backup", F_BACKUP},
                                 {NULL, 0}};
static const Field FIELDS_7[] = {{"message", F_MESSAGE}, {"version", F_VERSION},
                                 {"subtype", F_SUBTYPE}, {"aiTitle", F_TITLE},
                                 {"rewound", F_REWOUND}, {NULL, 0}};
static const Field FIELDS_8[] = {{"rendered", F_RENDERED}, {"leafUuid", F_LEAF},
                                 {"snapshot", F_SNAPSHOT}, {"explicit", F_EXPLICIT}, {NULL, 0}};
static const Field FIELDS_9[] = {{"timestamp", F_TIMESTAMP}, {"sessionId", F_SESSION},
                                 {"gitBranch", F_BRANCH}, {"messageId", F_ROW}, {NULL, 0}};
static const Field FIELDS_10[] = {{"parentUuid", F_PARENT}, {"entrypoint", F_ENTRYPOINT},
                                  {"attachment", F_ATTACHMENT}, {"forkedFrom", F_FORKED},
                                  {"lastPrompt", F_LAST_PROMPT}, {NULL, 0}};
static const Field FIELDS_11[] = {{"isSidechain", F_SIDECHAIN}, {NULL, 0}};
static const Field FIELDS_12[] = {{"promptSource", F_SOURCE}, {"trackingPath", F_PATH}, {NULL, 0}};
static const Field FIELDS_13[] = {{"toolUseResult", F_RESULT}, {NULL, 0}};
static const Field FIELDS_14[] = {{"toolDenialKind", F_DENIAL}, {NULL, 0}};
static const Field FIELDS_16[] = {{"isCompactSummary", F_SUMMARY}, {"isSnapshotUpdate", F_UPDATE},
                                  {NULL, 0}};
static const Field FIELDS_17[] = {{"isApiErrorMessage", F_API_ERROR},
                                  {"snapshotMessageId", F_SNAPSHOT_ROW}, {NULL, 0}};
static const Field FIELDS_20[] = {{"promptCacheRequested", F_LIFETIME}, {NULL, 0}};
static const Field NO_FIELDS[] = {{NULL, 0}};

static const Field *fields_of(Py_ssize_t size)
{
    switch (size) {
    case 3: return FIELDS_3;
    case 4: return FIELDS_4;
    case 6: return FIELDS_6;
    case 7: return FIELDS_7;
    case 8: return FIELDS_8;
    case 9: return FIELDS_9;
    case 10: return FIELDS_10;
    case 11: return FIELDS_11;
    case 12: return FIELDS_12;
    case 13: return FIELDS_13;
    case 14: return FIELDS_14;
    case 16: return FIELDS_16;
    case 17: return FIELDS_17;
    case 20: return FIELDS_20;
    default: return NO_FIELDS;
    }
}

static int field_of(const Text *name)
{
    for (const Field *field = fields_of(name->size); field->name; field++)
        if (!memcmp(field->name, name->at, (size_t)name->size))
            return field->field;
    return -1;
}

/* Of a line outside the graph. */
static At state_member(Line *line, int field, At at, At limit)
{
    switch (field) {
    case F_ROW: return text_end(at, limit, &line->history.row);
    case F_SNAPSHOT: return snapshot_end(at, limit, &line->history);
    case F_UPDATE: return flag_end(at, &line->history.is_update);
    case F_SNAPSHOT_ROW: return text_end(at, limit, &line->history.other);
    case F_PATH: return text_end(at, limit, &line->history.path);
    case F_BACKUP: return raw_end(at, limit, &line->history.entries);
    case F_LAST_PROMPT: return text_end(at, limit, &line->last_prompt);
    case F_LEAF: line->has_leaf = 1; return text_end(at, limit, &line->leaf);
    case F_EXPLICIT: return flag_end(at, &line->is_explicit);
    case F_REWOUND: return flag_end(at, &line->is_rewound);
    default: return text_end(at, limit, &line->title);
    }
}

static At line_member(void *into, const Text *name, At at, At limit)
{
    Line *line = into;
    int field = field_of(name);
    if (field < 0)
        return skipped(at, limit);
    if (!is_first(&line->seen, field))
        return NULL;
    if (field >= F_ROW)
        return state_member(line, field, at, limit);
    switch (field) {
    case F_TYPE: return text_end(at, limit, &line->type);
    case F_SUBTYPE: return text_end(at, limit, &line->subtype);
    case F_UUID: return text_end(at, limit, &line->uuid);
    case F_PARENT: return text_end(at, limit, &line->parent);
    case F_TIMESTAMP: return text_end(at, limit, &line->timestamp);
    case F_LIFETIME: return text_end(at, limit, &line->lifetime);
    case F_CWD: return text_end(at, limit, &line->client[0]);
    case F_VERSION: return text_end(at, limit, &line->client[1]);
    case F_SESSION: return text_end(at, limit, &line->client[2]);
    case F_BRANCH: return text_end(at, limit, &line->client[3]);
    case F_ENTRYPOINT: return text_end(at, limit, &line->client[4]);
    case F_SIDECHAIN: return flag_end(at, &line->is_sidechain);
    case F_META: return flag_end(at, &line->is_meta);
    case F_SUMMARY: return flag_end(at, &line->is_summary);
    case F_MESSAGE: return message_end(at, limit, line);
    case F_RESULT: return result_end(at, limit);
    case F_ATTACHMENT: return attachment_end(at, limit, line);
    case F_RENDERED: line->has_rendered = 1; return skipped(at, limit);
    case F_FORKED: case F_ORIGIN: return other_end(at, limit, &line->is_rare);
    case F_SOURCE: return text_end(at, limit, &line->source);
    default: return other_end(at, limit, &line->is_odd);
    }
}

/* --- what a line is -------------------------------------------------------------------------- */

static int answer_code(const Line *line)
{
    int block = line->blocks ? place_of(&line->block.type, BLOCK_TYPES) : -1;
    if (!line->has_usage || !line->message_id.size || !line->model.size)
        return LEFT;
    if (is_named(&line->model, "<synthetic>") || line->model.is_escaped)
        return LEFT;
    if (line->blocks && block < 0 && line->block.type.at)
        return LEFT;
    if (block == 2 || (block == 1 && !line->block.id.at))
        return LEFT;
    return block == 0 ? PROSE : block == 1 ? CALLING : ANSWER;
}

/* Whether a text begins with no mark of the client's, in whatever spelling. */
static int is_unmarked(const Text *text)
{
    At at = text->at;
    int is_spelled = text->size > 1 && at[0] == '\\' && at[1] == 'u';
    return text->size && at[0] != '<' && at[0] != '[' && !is_spelled;
}

static int user_code(const Line *line)
{
    if (line->has_words)
        return line->is_summary && is_unmarked(&line->words) ? SUMMARY : WORDS;
    if (!line->blocks || !is_named(&line->block.type, "tool_result") || !line->block.answers.at)
        return LEFT;
    return RESULT;
}

/* Of a line in the graph. */
static int row_code(const Line *line)
{
    int is_plain = !line->is_odd && !line->has_attachment;
    switch (place_of(&line->type, ROW_TYPES)) {
    case 0: return is_plain && line->has_message ? answer_code(line) : LEFT;
    case 1: return is_plain && line->has_message ? user_code(line) : LEFT;
    case 2: return line->has_attachment && !line->is_odd ? ATTACHMENT : LEFT;
    case 3: return is_plain && place_of(&line->subtype, OWN_ROLES) < 0 ? SYSTEM : LEFT;
    case 4: return is_plain && place_of(&line->subtype, OWN_ROLES) < 0 ? PROGRESS : LEFT;
    default: return LEFT;
    }
}

static int state_code(const Line *line)
{
    int place = place_of(&line->type, STATE_TYPES);
    int is_odd = line->is_sidechain || line->is_meta || line->is_rare || line->is_odd;
    if (place < 0 || is_odd || line->seen & (uint64_t)1 << F_UUID)
        return LEFT;
    int code = MODE + place;
    if (code != SNAPSHOT && code != DELTA)
        return code;
    const History *history = &line->history;
    /* An entry stands in a snapshot or beside it; where it is in both, Python knows. */
    int has_entry = (line->seen & (uint64_t)1 << F_BACKUP) != 0;
    if (history->has_snapshot)
        return has_entry || !history->entries.at ? LEFT : code;
    return has_entry && history->path.at ? code : LEFT;
}

/* Whether there is more to be said than columns hold. */
static int is_told(const Line *line, int code)
{
    switch (code) {
    case WORDS: case SNAPSHOT: case DELTA:
        return 1;
    case ATTACHMENT:
        return line->has_rendered || line->attached.is_escaped ||
               place_of(&line->attached, TOLD_ATTACHMENTS) >= 0;
    default:
        return 0;
    }
}

static int uuid_key(const Text *text, unsigned char *key)
{
    static const unsigned char HYPHENS[] = {8, 13, 18, 23};
    At at = text->at;
    int digits = 0, any = 0, hyphen = 0;
    if (text->size != 36)
        return 0;
    for (int place = 0; place < 36; place++) {
        if (hyphen < 4 && place == HYPHENS[hyphen]) {
            hyphen++;
            if (at[place] != '-')
                return 0;
            continue;
        }
        int digit = hex_digit(at[place]);
        /* Capital letters are not given back. */
        if (digit < 0 || (at[place] >= 'A' && at[place] <= 'F'))
            return 0;
        any |= digit;
        key[digits / 2] = (unsigned char)(digits % 2 ? key[digits / 2] | digit : digit << 4);
        digits++;
    }
    return any != 0;
}

static int number_at(At at, int digits)
{
    int number = 0;
    for (int place = 0; place < digits; place++) {
        if (at[place] < '0' || at[place] > '9')
            return -1;
        number = number * 10 + (at[place] - '0');
    }
    return number;
}

/* Days since 1970-01-01 of a date that is one; years begin in March here. */
static int64_t days_of(int year, int month, int day)
{
    int64_t shifted = year - (month <= 2), era = shifted / 400, of_era = shifted - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int is_date(int year, int month, int day)
{
    static const unsigned char DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (year < 1 || month < 1 || month > 12 || day < 1)
        return 0;
    return day <= DAYS[month - 1] + (month == 2 && is_leap);
}

/* `2026-05-28T09:30:00.123Z` as milliseconds since 1970; 0 for any other form. */
static int milliseconds(const Text *text, int64_t *time)
{
    static const char FORM[] = "0000-00-00T00:00:00.000Z";
    At at = text->at;
    if (text->size != 24)
        return 0;
    for (int place = 0; place < 24; place++)
        if (FORM[place] != '0' && at[place] != (unsigned char)FORM[place])
            return 0;
    int year = number_at(at, 4), month = number_at(at + 5, 2), day = number_at(at + 8, 2);
    int hour = number_at(at + 11, 2), minute = number_at(at + 14, 2);
    int second = number_at(at + 17, 2), rest = number_at(at + 20, 3);
    if (!is_date(year, month, day) || hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return 0;
    if (second < 0 || second > 59 || rest < 0)
        return 0;
    int64_t seconds = ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    *time = seconds * 1000 + rest;
    return 1;
}

/* --- columns --------------------------------------------------------------------------------- */

typedef struct {
    char *bytes;
    size_t size, room;
} Column;

static int put(Column *column, const void *item, size_t size)
{
    if (column->size + size > column->room) {
        size_t room = column->room ? column->room * 2 : 4096;
        char *bytes = PyMem_Realloc(column->bytes, room);
        if (!bytes) {
            PyErr_NoMemory();
            return 0;
        }
        column->bytes = bytes;
        column->room = room;
    }
    memcpy(column->bytes + column->size, item, size);
    column->size += size;
    return 1;
}

enum {
    C_OFFSET, C_LENGTH, C_CODE, C_KEY, C_PARENT, C_TIME, C_ASIDE, C_APART,
    C_ANSWER, C_LIFETIME, C_COUNTS, C_CALL = C_COUNTS + COUNTS, C_RESULT, C_FAILED,
    C_PROMPT, C_POINTS, C_TITLE, COLUMNS
};
enum {
    L_CLIENTS, L_IDS, L_MODELS, L_CALL_IDS, L_NAMES, L_FILES, L_ANSWERED,
    L_PROMPTS, L_LEAVES, L_TITLES, L_WORDS, L_HISTORIES, LISTS
};
enum { HAS_LEAF = 1, IS_EXPLICIT = 2, IS_REWOUND = 4 };
enum { KNOWN_TEXTS = 64, LONGEST_KNOWN = 128 };

typedef struct {
    Text text;
    PyObject *object;
} Known;

typedef struct {
    Column columns[COLUMNS];
    PyObject *lists[LISTS];
    PyObject *read; /* decodes a text with its quotes: for those with escapes */
    Known known[KNOWN_TEXTS];
    Text client[CLIENT_FIELDS];
    int32_t rows;
    uint64_t offset;
    int is_first;
} Scan;

enum { FAILED = -1, REFUSED = 0, DONE = 1 };

/* A new reference; NULL without an error set for what is no text. */
static PyObject *object_of(Scan *scan, const Text *text)
{
    if (!text->at)
        return Py_NewRef(Py_None);
    PyObject *object = text->is_escaped
        ? PyObject_CallFunction(scan->read, "y#", text->at - 1, text->size + 2)
        : PyUnicode_DecodeUTF8((const char *)text->at, text->size, NULL);
    if (!object && !PyErr_ExceptionMatches(PyExc_MemoryError))
        PyErr_Clear();
    return object;
}

/* The same, of texts that are said again and again. */
static PyObject *known_object(Scan *scan, const Text *text)
{
    if (!text->at || text->size > LONGEST_KNOWN)
        return object_of(scan, text);
    uint32_t hash = (uint32_t)text->size;
    for (Py_ssize_t place = 0; place < text->size; place++)
        hash = hash * 31 + text->at[place];
    Known *known = &scan->known[(hash ^ hash >> 16) % KNOWN_TEXTS];
    if (!known->object || !is_same(&known->text, text)) {
        PyObject *object = object_of(scan, text);
        if (!object)
            return NULL;
        Py_XDECREF(known->object);
        known->object = object;
        known->text = *text;
    }
    return Py_NewRef(known->object);
}

static int appended(Scan *scan, int list, PyObject *object)
{
    return PyList_Append(scan->lists[list], object) == 0;
}

/* Takes over the references; either all are appended, or none: `DONE`, or why not. */
static int append_all(Scan *scan, const int *lists, PyObject **objects, int count)
{
    int outcome = DONE;
    for (int place = 0; place < count; place++)
        if (!objects[place])
            outcome = PyErr_Occurred() ? FAILED : REFUSED;
    for (int place = 0; place < count; place++) {
        if (outcome == DONE && !appended(scan, lists[place], objects[place]))
            outcome = FAILED;
        Py_XDECREF(objects[place]);
    }
    return outcome;
}

static int put_place(Scan *scan, int column)
{
    return put(&scan->columns[column], &scan->rows, sizeof scan->rows);
}

/* --- rows ------------------------------------------------------------------------------------ */

static int put_client(Scan *scan, const Line *line)
{
    int is_new = scan->is_first;
    for (int field = 0; field < CLIENT_FIELDS; field++)
        is_new |= !is_same(&scan->client[field], &line->client[field]);
    if (!is_new)
        return DONE;
    PyObject *fields[CLIENT_FIELDS];
    for (int field = 0; field < CLIENT_FIELDS; field++)
        fields[field] = known_object(scan, &line->client[field]);
    PyObject *told = NULL;
    if (fields[0] && fields[1] && fields[2] && fields[3] && fields[4])
        told = Py_BuildValue("i(OOOOO)", scan->rows, fields[0], fields[1], fields[2], fields[3],
                             fields[4]);
    for (int field = 0; field < CLIENT_FIELDS; field++)
        Py_XDECREF(fields[field]);
    int list = L_CLIENTS;
    int outcome = append_all(scan, &list, &told, 1);
    if (outcome == DONE) {
        memcpy(scan->client, line->client, sizeof scan->client);
        scan->is_first = 0;
    }
    return outcome;
}

static int counted(const Line *line, uint32_t *counts)
{
    const Counts *told = &line->counts;
    int64_t short_lived = told->written - told->long_lived;
    if (short_lived < 0)
        return 0;
    counts[0] = (uint32_t)told->input;
    counts[1] = (uint32_t)told->output;
    counts[2] = (uint32_t)told->cache_read;
    counts[3] = (uint32_t)short_lived;
    counts[4] = (uint32_t)told->long_lived;
    return 1;
}

static int put_call(Scan *scan, const Block *block)
{
    static const int LISTS_OF_CALLS[] = {L_CALL_IDS, L_NAMES, L_FILES};
    const Text empty = {(At)"", 0, 0};
    const Text *file = block->file.size ? &block->file : &block->notebook;
    PyObject *objects[] = {object_of(scan, &block->id),
                           known_object(scan, block->name.at ? &block->name : &empty),
                           known_object(scan, file)};
    int outcome = append_all(scan, LISTS_OF_CALLS, objects, 3);
    return outcome == DONE && !put_place(scan, C_CALL) ? FAILED : outcome;
}

static int put_answer(Scan *scan, const Line *line, int code)
{
    static const int LISTS_OF_ANSWERS[] = {L_IDS, L_MODELS};
    uint32_t counts[COUNTS];
    unsigned char lifetime = (unsigned char)(place_of(&line->lifetime, LIFETIMES) + 1);
    if (!counted(line, counts))
        return REFUSED;
    PyObject *objects[] = {known_object(scan, &line->message_id),
                           known_object(scan, &line->model)};
    if (code == CALLING && objects[0] && objects[1]) {
        int outcome = put_call(scan, &line->block);
        if (outcome != DONE) {
            Py_DECREF(objects[0]);
            Py_DECREF(objects[1]);
            return outcome;
        }
    }
    int outcome = append_all(scan, LISTS_OF_ANSWERS, objects, 2);
    if (outcome != DONE)
        return outcome;
    for (int count = 0; count < COUNTS; count++)
        if (!put(&scan->columns[C_COUNTS + count], &counts[count], sizeof counts[count]))
            return FAILED;
    return put(&scan->columns[C_LIFETIME], &lifetime, 1) && put_place(scan, C_ANSWER) ? DONE : FAILED;
}

static int put_result(Scan *scan, const Block *block)
{
    int list = L_ANSWERED;
    PyObject *answered = object_of(scan, &block->answers);
    unsigned char failed = (unsigned char)block->is_error;
    int outcome = append_all(scan, &list, &answered, 1);
    if (outcome != DONE)
        return outcome;
    return put(&scan->columns[C_FAILED], &failed, 1) && put_place(scan, C_RESULT) ? DONE : FAILED;
}

/* A person's words, but those of which more is to be asked. */
static int put_words(Scan *scan, const Line *line)
{
    if (line->is_meta || line->is_rare || line->is_summary || line->source.is_escaped ||
        is_named(&line->source, "system"))
        return DONE;
    int list = L_WORDS;
    PyObject *words = object_of(scan, &line->words);
    PyObject *told = words ? Py_BuildValue("iO", scan->rows, words) : NULL;
    Py_XDECREF(words);
    return append_all(scan, &list, &told, 1);
}

static int put_prompt(Scan *scan, const Line *line)
{
    static const int LISTS_OF_PROMPTS[] = {L_PROMPTS, L_LEAVES};
    PyObject *objects[] = {object_of(scan, &line->last_prompt), object_of(scan, &line->leaf)};
    unsigned char points = (unsigned char)((line->has_leaf ? HAS_LEAF : 0) |
                                           (line->is_explicit ? IS_EXPLICIT : 0) |
                                           (line->is_rewound ? IS_REWOUND : 0));
    int outcome = append_all(scan, LISTS_OF_PROMPTS, objects, 2);
    if (outcome != DONE)
        return outcome;
    return put(&scan->columns[C_POINTS], &points, 1) && put_place(scan, C_PROMPT) ? DONE : FAILED;
}

static int put_title(Scan *scan, const Line *line)
{
    int list = L_TITLES;
    PyObject *title = object_of(scan, &line->title);
    int outcome = append_all(scan, &list, &title, 1);
    return outcome == DONE && !put_place(scan, C_TITLE) ? FAILED : outcome;
}

/* Place, row, the other row (a snapshot's prompt), entries, path (None of a snapshot), update. */
static int put_history(Scan *scan, const History *history)
{
    int list = L_HISTORIES;
    const Text none = {NULL, 0, 0};
    PyObject *row = known_object(scan, &history->row);
    PyObject *other = known_object(scan, history->has_snapshot ? &history->prompt : &history->other);
    PyObject *path = object_of(scan, history->has_snapshot ? &none : &history->path);
    PyObject *told = NULL;
    if (row && other && path)
        told = Py_BuildValue("iOOy#Oi", scan->rows, row, other, history->entries.at,
                             history->entries.size, path, history->is_update);
    Py_XDECREF(row);
    Py_XDECREF(other);
    Py_XDECREF(path);
    return append_all(scan, &list, &told, 1);
}

static int put_said(Scan *scan, const Line *line, int code)
{
    switch (code) {
    case ANSWER: case PROSE: case CALLING: return put_answer(scan, line, code);
    case RESULT: return put_result(scan, &line->block);
    case WORDS: return put_words(scan, line);
    case LAST_PROMPT: return put_prompt(scan, line);
    case AI_TITLE: return put_title(scan, line);
    case SNAPSHOT: case DELTA: return put_history(scan, &line->history);
    default: return DONE;
    }
}

static int put_row(Scan *scan, const Line *line, int code)
{
    /* A client that is told of a row which is left in the end is told too early, and no more. */
    int outcome = code < MODE ? put_client(scan, line) : DONE;
    return outcome == DONE ? put_said(scan, line, code) : outcome;
}

/* In column `apart`: to be looked at, and more than once a kind's own. */
enum { TOLD = 1, RARE = 2 };

typedef struct {
    int code;
    unsigned char key[16], parent[16], aside, apart;
    int64_t time;
} Row;

/* Where the line ends, with the row that it is; NULL for one to be left. */
static At row_end(At at, At limit, Line *line, Row *row)
{
    if (*at != '{' || !(at = members_end(at + 1, limit, 2, line_member, line)) || *at != '\n')
        return NULL;
    if (line->timestamp.at && !milliseconds(&line->timestamp, &row->time))
        return NULL;
    if (line->lifetime.at && place_of(&line->lifetime, LIFETIMES) < 0)
        return NULL;
    if (line->type.is_escaped || line->subtype.is_escaped || line->block.type.is_escaped)
        return NULL;
    int code = place_of(&line->type, ROW_TYPES) < 0 ? state_code(line) : row_code(line);
    if (code == LEFT)
        return NULL;
    if (code < MODE && (!line->uuid.at || !uuid_key(&line->uuid, row->key)))
        return NULL;
    if (code < MODE && line->parent.at && !uuid_key(&line->parent, row->parent))
        return NULL;
    row->code = code;
    row->aside = (unsigned char)line->is_sidechain;
    row->apart = (unsigned char)(line->is_meta || line->is_rare ? RARE : is_told(line, code));
    return at + 1;
}

static int put_columns(Scan *scan, const Row *row, uint64_t size)
{
    Column *columns = scan->columns;
    uint64_t length = size - 1;
    unsigned char code = (unsigned char)row->code;
    int is_put = put(&columns[C_OFFSET], &scan->offset, sizeof scan->offset) &&
                 put(&columns[C_LENGTH], &length, sizeof length) &&
                 put(&columns[C_CODE], &code, 1) &&
                 put(&columns[C_KEY], row->key, 16) && put(&columns[C_PARENT], row->parent, 16) &&
                 put(&columns[C_TIME], &row->time, sizeof row->time) &&
                 put(&columns[C_ASIDE], &row->aside, 1) && put(&columns[C_APART], &row->apart, 1);
    scan->rows++;
    scan->offset += size;
    return is_put;
}

/* -2**62, as in `nodes.py`. */
#define NO_TIME (-((int64_t)1 << 62))

static At scan_line(Scan *scan, At at, At limit)
{
    const Row nothing = {.code = LEFT, .apart = TOLD, .time = NO_TIME};
    Row row = {.code = LEFT, .time = NO_TIME};
    Line line;
    memset(&line, 0, sizeof line);
    At end = row_end(at, limit, &line, &row);
    int outcome = end ? DONE : REFUSED;
    if (end)
        outcome = put_row(scan, &line, row.code);
    if (outcome == FAILED)
        return NULL;
    if (outcome == REFUSED) {
        row = nothing;
        /* There is one: the buffer ends with it. */
        end = (At)memchr(at, '\n', (size_t)(limit - at)) + 1;
    }
    return put_columns(scan, &row, (uint64_t)(end - at)) ? end : NULL;
}

static int scan_lines(Scan *scan, At at, At limit)
{
    while (at < limit)
        if (!(at = scan_line(scan, at, limit)))
            return 0;
    return 1;
}

/* --- the module ------------------------------------------------------------------------------ */

static int begun(Scan *scan)
{
    for (int list = 0; list < LISTS; list++)
        if (!(scan->lists[list] = PyList_New(0)))
            return 0;
    scan->is_first = 1;
    return 1;
}

static PyObject *taken(Scan *scan)
{
    PyObject *all = PyList_New(0);
    for (int column = 0; all && column < COLUMNS; column++) {
        Column *from = &scan->columns[column];
        PyObject *bytes = PyBytes_FromStringAndSize(from->bytes, (Py_ssize_t)from->size);
        if (!bytes || PyList_Append(all, bytes))
            Py_CLEAR(all);
        Py_XDECREF(bytes);
    }
    for (int list = 0; all && list < LISTS; list++)
        if (PyList_Append(all, scan->lists[list]))
            Py_CLEAR(all);
    return all;
}

static void end(Scan *scan)
{
    for (int column = 0; column < COLUMNS; column++)
        PyMem_Free(scan->columns[column].bytes);
    for (int list = 0; list < LISTS; list++)
        Py_XDECREF(scan->lists[list]);
    for (int place = 0; place < KNOWN_TEXTS; place++)
        Py_XDECREF(scan->known[place].object);
}

static int ends_a_line(At at, Py_ssize_t size)
{
    return size == 0 || at[size - 1] == '\n';
}

static int are_whole_lines(const Py_buffer *first, const Py_buffer *chunk, Py_ssize_t start,
                           Py_ssize_t stop)
{
    return start >= 0 && start <= stop && stop <= chunk->len && stop <= INT32_MAX / 2 &&
           first->len <= INT32_MAX / 2 && ends_a_line(first->buf, first->len) &&
           ends_a_line((At)chunk->buf + start, stop - start);
}

static PyObject *scan(PyObject *module, PyObject *arguments)
{
    Py_buffer first, chunk;
    Py_ssize_t start, stop;
    PyObject *result = NULL;
    unsigned long long offset;
    Scan scan;
    (void)module;
    memset(&scan, 0, sizeof scan);
    if (!PyArg_ParseTuple(arguments, "y*y*nnKO", &first, &chunk, &start, &stop, &offset,
                          &scan.read))
        return NULL;
    scan.offset = offset;
    At head = first.buf, rest = chunk.buf;
    if (!are_whole_lines(&first, &chunk, start, stop))
        PyErr_SetString(PyExc_ValueError, "no whole lines");
    else if (begun(&scan) && scan_lines(&scan, head, head + first.len) &&
             scan_lines(&scan, rest + start, rest + stop))
        result = taken(&scan);
    end(&scan);
    PyBuffer_Release(&first);
    PyBuffer_Release(&chunk);
    return result;
}

/* --- rows by their keys (see `key_map.py`) ---------------------------------------------------- */

enum { KEY = 16 };

/* Differs from process to process: a file cannot be written so that all of its keys meet. */
static uint64_t seeds[2];

typedef struct {
    Py_buffer column, slots;
    At keys;
    uint32_t *numbers; /* of rows, from 1; 0 is free */
    uint64_t mask;     /* the number of slots less one */
    Py_ssize_t rows;
} Keys;

static uint64_t mixed(uint64_t bits)
{
    bits = (bits ^ bits >> 32) * UINT64_C(0xd6e8feb86659fd93);
    bits = (bits ^ bits >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return bits ^ bits >> 32;
}

static uint64_t slot_of(At key)
{
    uint64_t halves[2];
    memcpy(halves, key, KEY);
    return mixed(mixed(halves[0] ^ seeds[0]) + (halves[1] ^ seeds[1]));
}

static int is_no_key(At key)
{
    static const unsigned char NO_KEY[KEY];
    return !memcmp(key, NO_KEY, KEY);
}

/* The slot of a key, or the free one where it belongs; -1 where the table is none of this column. */
static int64_t found_slot(const Keys *keys, At key)
{
    uint64_t slot = slot_of(key) & keys->mask;
    for (uint64_t looked = 0; looked <= keys->mask; looked++, slot = (slot + 1) & keys->mask) {
        uint32_t number = keys->numbers[slot];
        if (!number)
            return (int64_t)slot;
        if (number > (uint64_t)keys->rows)
            return -1;
        if (!memcmp(keys->keys + (size_t)(number - 1) * KEY, key, KEY))
            return (int64_t)slot;
    }
    return -1;
}

static void released(Keys *keys)
{
    PyBuffer_Release(&keys->column);
    PyBuffer_Release(&keys->slots);
}

/* Whether the buffers are a column and a table that has room for it. */
static int are_keys(Keys *keys)
{
    Py_ssize_t slots = keys->slots.len / (Py_ssize_t)sizeof(uint32_t);
    keys->keys = keys->column.buf;
    keys->rows = keys->column.len / KEY;
    keys->numbers = keys->slots.buf;
    keys->mask = slots ? (uint64_t)slots - 1 : 0;
    int is_table = slots && !(slots & (slots - 1)) && keys->rows < slots;
    return is_table && keys->column.len % KEY == 0 && (uint64_t)keys->rows < UINT32_MAX;
}

static PyObject *no_table(void)
{
    PyErr_SetString(PyExc_ValueError, "no table of this column");
    return NULL;
}

static PyObject *put_keys(PyObject *module, PyObject *arguments)
{
    Keys keys;
    Py_ssize_t begin;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*w*n", &keys.column, &keys.slots, &begin))
        return NULL;
    if (are_keys(&keys) && begin >= 0) {
        result = Py_True;
        for (Py_ssize_t row = begin; row < keys.rows; row++) {
            At key = keys.keys + (size_t)row * KEY;
            if (is_no_key(key))
                continue;
            int64_t slot = found_slot(&keys, key);
            if (slot < 0 || keys.numbers[slot])
                result = Py_False;
            else
                keys.numbers[slot] = (uint32_t)row + 1;
        }
    }
    released(&keys);
    return result ? Py_NewRef(result) : no_table();
}

static PyObject *find_key(PyObject *module, PyObject *arguments)
{
    Keys keys;
    Py_buffer key;
    int64_t slot = -1;
    long long row = -1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*y*", &keys.column, &keys.slots, &key))
        return NULL;
    if (are_keys(&keys) && key.len == KEY && !is_no_key(key.buf))
        slot = found_slot(&keys, key.buf);
    if (slot >= 0)
        row = (long long)keys.numbers[slot] - 1;
    PyBuffer_Release(&key);
    released(&keys);
    return PyLong_FromLongLong(row);
}

/* `marks` are what stands for a row outside the graph, a root, and a parent that is not there. */
static void put_parents(const Keys *keys, Py_ssize_t begin, At above, const int *marks, int *rows)
{
    for (Py_ssize_t row = begin; row < keys->rows; row++, above += KEY) {
        int64_t slot;
        int parent = marks[2];
        if (is_no_key(keys->keys + (size_t)row * KEY))
            parent = marks[0];
        else if (is_no_key(above))
            parent = marks[1];
        else if ((slot = found_slot(keys, above)) >= 0 && keys->numbers[slot])
            parent = (int)keys->numbers[slot] - 1;
        *rows++ = parent;
    }
}

static PyObject *parents(PyObject *module, PyObject *arguments)
{
    Keys keys;
    Py_buffer above;
    Py_ssize_t begin;
    int marks[3];
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*y*ny*iii", &keys.column, &keys.slots, &begin, &above,
                          &marks[0], &marks[1], &marks[2]))
        return NULL;
    if (are_keys(&keys) && begin >= 0 && above.len == (keys.rows - begin) * KEY) {
        Py_ssize_t size = (keys.rows - begin) * (Py_ssize_t)sizeof(int);
        int *rows = PyMem_Malloc(size ? (size_t)size : 1);
        if (rows) {
            put_parents(&keys, begin, above.buf, marks, rows);
            result = PyBytes_FromStringAndSize((char *)rows, size);
            PyMem_Free(rows);
        } else {
            PyErr_NoMemory();
        }
    } else {
        no_table();
    }
    PyBuffer_Release(&above);
    released(&keys);
    return result;
}

/* --- planes of a column (see `index_state.py`) ----------------------------------------------- */

enum { SAMPLE = 64, NOISE = 36 };

static int are_alike(const unsigned char *bytes, Py_ssize_t size)
{
    return size == 0 || !memcmp(bytes, bytes + 1, (size_t)size - 1);
}

static int are_noise(const unsigned char *bytes, Py_ssize_t size)
{
    uint64_t seen[4] = {0, 0, 0, 0};
    int different = 0;
    for (Py_ssize_t place = 0; place < size && place < SAMPLE; place++) {
        uint64_t bit = (uint64_t)1 << bytes[place] % 64, *of = &seen[bytes[place] / 64];
        different += !(*of & bit);
        *of |= bit;
    }
    return different > NOISE;
}

/* What is kept of one plane; one for which None is kept is appended to `others`. */
static PyObject *kept_plane(const char *data, Py_ssize_t rows, Py_ssize_t width, PyObject *others)
{
    unsigned char *bytes = PyMem_Malloc(rows ? (size_t)rows : 1);
    if (!bytes)
        return PyErr_NoMemory();
    for (Py_ssize_t row = 0; row < rows; row++)
        bytes[row] = (unsigned char)data[row * width];
    int alike = are_alike(bytes, rows), is_kept = alike || are_noise(bytes, rows);
    PyObject *plane = PyBytes_FromStringAndSize((char *)bytes, alike && rows ? 1 : rows);
    PyMem_Free(bytes);
    if (plane && !is_kept) {
        int failed = PyList_Append(others, plane);
        Py_DECREF(plane);
        plane = failed ? NULL : Py_NewRef(Py_None);
    }
    return plane;
}

static PyObject *planes(PyObject *module, PyObject *arguments)
{
    const char *data;
    Py_ssize_t size, width;
    PyObject *others;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#nO", &data, &size, &width, &others))
        return NULL;
    if (width < 1 || size % width || !PyList_Check(others)) {
        PyErr_SetString(PyExc_ValueError, "no column");
        return NULL;
    }
    PyObject *kept = PyList_New(0);
    for (Py_ssize_t place = 0; kept && place < width; place++) {
        PyObject *plane = kept_plane(data + place, size / width, width, others);
        if (!plane || PyList_Append(kept, plane))
            Py_CLEAR(kept);
        Py_XDECREF(plane);
    }
    return kept;
}

static PyMethodDef METHODS[] = {
    {"find_key", find_key, METH_VARARGS,
     "find_key(column, slots, key): the row with a key; -1 if there is none."},
    {"parents", parents, METH_VARARGS,
     "parents(column, slots, begin, above, outside, root, missing): of each row from `begin` on,\n"
     "the row of its parent's key, as C integers."},
    {"planes", planes, METH_VARARGS,
     "planes(data, width, others): what `forkpoint.index_state` keeps of each plane of a column."},
    {"put_keys", put_keys, METH_VARARGS,
     "put_keys(column, slots, begin): whether all rows from `begin` on are new; they are put in."},
    {"scan", scan, METH_VARARGS,
     "scan(first, chunk, start, stop, offset, read): columns of the lines of `first` and of\n"
     "`chunk[start:stop]`, each empty or ending with LF; see `forkpoint.records.scanned`."},
    {NULL, NULL, 0, NULL},
};

/* Of Python's own hashes, which it seeds anew for each process. */
static int seeded(void)
{
    static const char *const TEXTS[] = {"key", "key too"};
    for (int place = 0; place < 2; place++) {
        PyObject *text = PyUnicode_FromString(TEXTS[place]);
        Py_hash_t hash = text ? PyObject_Hash(text) : -1;
        Py_XDECREF(text);
        if (hash == -1)
            return -1;
        seeds[place] = (uint64_t)hash;
    }
    return 0;
}

static int filled(PyObject *module)
{
    const char *pure = getenv("FORKPOINT_PURE");
    if (pure && *pure) {
        PyErr_SetString(PyExc_ImportError, "FORKPOINT_PURE is set");
        return -1;
    }
    return seeded() ? -1 : PyModule_AddStringConstant(module, "DIGEST", DIGEST);
}

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, filled}, {0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "_scan", "See scan.c.", 0, METHODS, SLOTS, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__scan(void)
{
    return PyModuleDef_Init(&MODULE);
}
