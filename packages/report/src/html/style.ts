// The style sheet of a report as a page: system fonts, light and dark, narrow and wide, screen and paper. Text only.

const colors = {
  light: `
  --page: #f5f6f8; --card: #ffffff; --sunk: #f0f2f5; --line: #d9dee5; --text: #16191d; --dim: #545d69; --link: #0b57b8;
  --good: #0c6b3a; --good-back: #e2f5ea; --warn: #7a4700; --warn-back: #fff2d6; --bad: #a81d1d; --bad-back: #fdeaea;
  --flat: #464f5b; --flat-back: #e8ebef; --mark: #fff3bf; --mark-line: #c98a00;`,
  dark: `
  --page: #0f1216; --card: #171b21; --sunk: #101419; --line: #303843; --text: #e8ebef; --dim: #a3adba; --link: #82b6ff;
  --good: #79d9a2; --good-back: #10301f; --warn: #f3c063; --warn-back: #372709; --bad: #ff9d97; --bad-back: #401716;
  --flat: #c2cad4; --flat-back: #262d36; --mark: #3d3310; --mark-line: #d9a520;`,
};

export const reportStyle = `
:root { color-scheme: light dark;${colors.light} }
@media (prefers-color-scheme: dark) { :root {${colors.dark} } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
code, pre, .lines, .command { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  font-size: .875em; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.page { max-width: 76rem; margin: 0 auto; padding: 1rem clamp(.75rem, 3vw, 2rem) 3rem; }
h1 { font-size: clamp(1.35rem, 1.05rem + 1.6vw, 2rem); line-height: 1.22; margin: .15rem 0 .6rem; letter-spacing: -.012em;
  text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .75rem; letter-spacing: -.005em; }
h3 { font-size: 1rem; margin: 0 0 .5rem; }
p { margin: 0 0 .6rem; }
p:last-child, ul:last-child, ol:last-child, dl:last-child { margin-bottom: 0; }
.text { white-space: pre-line; }
.dim { color: var(--dim); }
.small { font-size: .875rem; }
.kicker { color: var(--dim); font-size: .8125rem; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; margin: 0; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }

/* The verdict: what a tired reader needs first. */
.verdict { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--tone); border-radius: 10px;
  padding: 1rem clamp(.9rem, 2.5vw, 1.5rem); margin: 0 0 1rem; }
.state { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: center; margin: 0 0 .75rem; }
.lead { font-size: 1.0625rem; white-space: pre-line; max-width: 62rem; }
.pill { display: inline-block; padding: .1rem .6rem; border-radius: 999px; font-weight: 650; font-size: .875rem; color: var(--tone);
  background: var(--tone-back); }
.pill.big { font-size: 1.0625rem; padding: .2rem .85rem; }
.good { --tone: var(--good); --tone-back: var(--good-back); }
.warn { --tone: var(--warn); --tone-back: var(--warn-back); }
.bad { --tone: var(--bad); --tone-back: var(--bad-back); }
.flat { --tone: var(--flat); --tone-back: var(--flat-back); }
.box { border: 1px solid var(--tone); background: var(--tone-back); border-radius: 10px; padding: .9rem clamp(.9rem, 2.5vw, 1.25rem);
  margin: 0 0 1rem; }
.box > h2 { color: var(--tone); }
.box li + li { margin-top: .75rem; }

nav { font-size: .875rem; margin: 0 0 1rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; }
nav a { display: inline-block; padding: .25rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem clamp(.9rem, 2.5vw, 1.5rem);
  margin: 0 0 1rem; scroll-margin-top: 1rem; }
/* Two sections that belong together are beside each other where there is room. */
@media print, (min-width: 56rem) {
  main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: 1rem; }
  main > section { grid-column: 1 / -1; }
  #impact:has(+ #root-cause), #impact + #root-cause, #timeline:has(+ #calls), #timeline + #calls { grid-column: auto; }
}

dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.1rem; margin: 0; }
dl.facts dt { color: var(--dim); }
dl.facts dd { margin: 0; white-space: pre-line; }
@media (max-width: 26rem) { dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; } }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0; }
.plain > li + li { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .75rem; }

/* Claims and their quotes. */
.claim { scroll-margin-top: 1rem; }
.claim:target { box-shadow: -6px 0 0 var(--link); }
.claim > .head { display: flex; flex-wrap: wrap; gap: .35rem .6rem; align-items: center; margin: 0 0 .35rem; }
.number { font-weight: 700; text-decoration: none; color: var(--dim); }
.claim > .text, .words { font-weight: 550; margin: 0 0 .5rem; white-space: pre-line; }
details { border: 1px solid var(--line); border-radius: 8px; background: var(--sunk); margin: .4rem 0 0; }
details > summary { cursor: pointer; padding: .5rem .75rem; min-height: 2.75rem; list-style: none; }
details > summary::-webkit-details-marker { display: none; }
summary .line { display: flex; gap: .6rem; align-items: baseline; }
summary .line::before { content: "▸"; color: var(--dim); flex: none; }
details[open] > summary .line::before { content: "▾"; }
.quote > summary blockquote { margin: 0; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  font-size: .875rem; white-space: pre-wrap; border-left: 3px solid var(--tone); padding-left: .6rem; }
.place { display: block; margin: .3rem 0 0 1.35rem; color: var(--dim); font-size: .8125rem; }
.place strong { color: var(--tone); }
.inside dl.facts { font-size: .875rem; margin-bottom: .6rem; }
.inside p { margin-bottom: .3rem; }
.inside { border-top: 1px solid var(--line); padding: .65rem .75rem .75rem; }
.lines { margin: 0 0 .6rem; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--card);
  overflow: hidden; }
.lines > li { display: grid; grid-template-columns: minmax(3.2em, max-content) 1fr; }
.lines .n { color: var(--dim); text-align: right; padding: 0 .7em 0 .4em; user-select: none; border-left: 4px solid transparent; }
.lines .t { white-space: pre-wrap; padding-right: .5em; min-height: 1.55em; }
.lines .hit { background: var(--mark); }
.lines .hit .n { border-left-color: var(--mark-line); color: var(--text); font-weight: 700; }
.command { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem;
  user-select: all; white-space: pre-wrap; cursor: copy; }
.command::before { content: "$ "; color: var(--dim); user-select: none; }

/* Series behind quoted figures. */
.chart { display: grid; grid-template-columns: max-content 1fr; gap: .3rem .6rem; margin: .6rem 0 0; padding: .65rem .75rem;
  border: 1px solid var(--line); border-radius: 8px; font-size: .8125rem; color: var(--dim); }
.chart figcaption { grid-column: 1 / -1; color: var(--text); font-family: ui-monospace, SFMono-Regular, Menlo, Consolas,
  "Liberation Mono", monospace; }
.chart .high { display: flex; flex-direction: column; justify-content: space-between; text-align: right;
  font-variant-numeric: tabular-nums; }
.chart .wide { grid-column: 2; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0; }
.chart .marks { justify-content: flex-start; color: var(--text); }
.chart svg { display: block; width: 100%; height: 7.5rem; overflow: visible; }
.chart path { fill: none; vector-effect: non-scaling-stroke; stroke: var(--line); stroke-width: 1; }
.chart .line { stroke: var(--link); stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.chart .mark { stroke: var(--mark-line); stroke-dasharray: 4 3; }
.chart .dot { stroke: var(--mark-line); stroke-width: 9; stroke-linecap: round; }

/* Timelines and actions. */
ol.times { list-style: none; margin: 0; padding: 0; }
ol.times > li { display: grid; grid-template-columns: 8.2rem 1fr; gap: 0 .8rem; padding: .4rem 0; border-top: 1px solid var(--line); }
ol.times > li:first-child { border-top: 0; }
ol.times > li > time { color: var(--dim); font-size: .8125rem; padding-top: .1rem; white-space: normal; }
.result { color: var(--dim); font-size: .8125rem; display: block; }
ol.times details { background: transparent; }
.when { color: var(--dim); font-size: .8125rem; padding-top: .1rem; }
@media (max-width: 34rem) { ol.times > li { grid-template-columns: 1fr; } }
footer { color: var(--dim); font-size: .875rem; padding: .5rem .25rem 0; }
footer dl.facts dd { color: var(--text); }
footer .command { color: var(--text); margin: .3rem 0; }

@page { margin: 14mm; }
@media print {
  :root {${colors.light} --page: #fff; }
  body { font-size: 10pt; }
  .page { padding: 0; max-width: none; }
  nav { display: none; }
  section, .verdict, .box { break-inside: auto; border-radius: 4px; }
  h2, h3, .claim > .head { break-after: avoid; }
  .quote, .chart, .lines > li, .plain > li, ol.times > li { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
  summary .line::before { content: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
