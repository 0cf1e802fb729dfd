// Reasoning that a model has written into its text, between tags such as `<think>`: it is no part of an answer. Pure.

/** The text without its reasoning, and the reasoning without its tags, in order. */
export type SplitText = { said: string; reasoning: string[] };

const tag = '(?:\\w{1,20}:)?(?:think|thinking|thoughts?)>';
/** At the beginning of a line: elsewhere, and in a fence, a tag is a word of the answer. */
const openings = `(?<![^\\n])[^\\S\\n]*<${tag}`;
const closings = `</${tag}`;
const mostParts = 20;

/**
 * Reasoning that does not end is all of the rest. Some servers leave out the first tag: then all before a line that begins with
 * a closing one is reasoning.
 */
export function splitReasoning(text: string): SplitText {
  if (!/<\/?(?:\w{1,20}:)?th(?:ink|ought)/i.test(text)) return { said: text, reasoning: [] };
  const said: string[] = [];
  const reasoning: string[] = [];
  const headless = withoutHead(text);
  if (headless) reasoning.push(headless.reasoning);
  let rest = headless?.rest ?? text;
  for (let parts = 0; parts < mostParts; parts++) {
    const opened = openingIn(rest);
    if (!opened) break;
    said.push(rest.slice(0, opened.from));
    const closed = findSpan(closings, rest, opened.to);
    reasoning.push(rest.slice(opened.to, closed?.from ?? rest.length));
    rest = closed ? rest.slice(closed.to) : '';
  }
  const left = [...said, rest].join('');
  return {
    said: reasoning.length === 0 ? text : left.trim(),
    reasoning: reasoning.map((each) => each.trim()),
  };
}

function withoutHead(text: string): { reasoning: string; rest: string } | undefined {
  const closed = findSpan(`(?<![^\\n])[^\\S\\n]*${closings}`, text, 0);
  const opened = findSpan(openings, text, 0);
  if (!closed || (opened && opened.from < closed.from)) return undefined;
  return { reasoning: text.slice(0, closed.from), rest: text.slice(closed.to) };
}

/** The first opening tag outside of a fence. */
function openingIn(text: string): TextSpan | undefined {
  for (let from = 0, tried = 0; tried < mostParts; tried++) {
    const place = findSpan(openings, text, from);
    if (!place) return undefined;
    const fences = text.slice(0, place.from).match(/(?<![^\n])```/g)?.length ?? 0;
    if (fences % 2 === 0) return place;
    from = place.to;
  }
  return undefined;
}

type TextSpan = { from: number; to: number };

function findSpan(pattern: string, text: string, from: number): TextSpan | undefined {
  const regExp = new RegExp(pattern, 'gi');
  regExp.lastIndex = from;
  const found = regExp.exec(text);
  return found ? { from: found.index, to: found.index + found[0].length } : undefined;
}
