"""How an exported page looks: in light and dark, on a narrow screen and on paper."""

STYLE = """
:root { --ink: #1f2328; --dim: #59636e; --paper: #ffffff; --inset: #f3f4f6; --line: #d1d9e0;
  --mark: #0550ae; --warn: #9a6700; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9aa4af; --paper: #15181c;
  --inset: #1f242a; --line: #3a424b; --mark: #79b8ff; --warn: #e3b341; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 62rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin-bottom: .25rem; font-size: 1rem; color: var(--mark); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
pre { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
pre.words { font: inherit; }
pre.code { padding: .75rem; background: var(--inset); border-radius: 6px;
  font: .85rem/1.45 ui-monospace, monospace; }
details { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); }
summary { cursor: pointer; color: var(--dim); overflow-wrap: anywhere; }
a { color: var(--mark); } img { max-width: 100%; height: auto; }
.aside, footer { margin: .25rem 0; color: var(--dim); font-size: .9rem; }
.notice { padding: .75rem; border: 1px solid var(--warn); border-radius: 6px; color: var(--warn); }
.notSent, .summarized { padding-left: .75rem; border-left: 3px dashed var(--line); }
:target { outline: 2px solid var(--mark); outline-offset: 4px; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  h2, h3 { break-after: avoid; } details { border-left: 1px solid #999; }
  details::details-content { content-visibility: visible; block-size: auto; }
  pre.code { border: 1px solid #999; } }
"""
