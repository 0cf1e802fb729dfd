// Cuts the view so that the next request fits the context window: first the texts of results, small ones whole and
// large ones to equal shares; then, if needed, the other messages. Decided on the outline of the view. Pure.
import type { AgentState, FitParams, WindowFit } from '@holdfast/vocabulary/agent-state';
import { type ViewSize, estimateInputTokens, estimateViewTokens, factorOf, viewSizes } from './estimate.ts';
import { leastTokens } from './reducers/fit-window.ts';

/** Share of the window for a cut view; the rest is for its reply and the turns after it. */
const share = 0.6;
/** Share after a refusal by the provider: our own estimates are too low then. */
const shareOfRefused = 0.5;
/** Tokens for the frame and id of a message, beside its text. */
const frame = 16;
/** Share of the room that a fold must free alone, if the rest must be cut anyway. */
const worthFolding = 0.25;

/** True if the provider would refuse the next request, or has refused it. */
export function isViewTooLong(state: AgentState): boolean {
  const { run, context } = state;
  if (run?.overflow === 'refused') return true;
  const { contextWindow = 0, maxResponseTokens = 0 } = context?.settings.model ?? {};
  const reply = Math.min(maxResponseTokens, contextWindow / 4);
  return contextWindow > 0 && estimateInputTokens(state) > contextWindow - reply;
}

/** Tokens of the window available for the view; undefined if the window's size is unknown. */
export function roomFor(state: AgentState): number | undefined {
  const window = state.context?.settings.model.contextWindow || Infinity;
  if (state.run?.overflow === 'refused') return shareOfRefused * Math.min(window, estimateViewTokens(state));
  return window === Infinity ? undefined : share * window;
}

/**
 * True if the next request is too long and a cut makes it shorter. Compares the cut view, because a part of each
 * message stays (frames, thinking): with that part alone, a provider that refuses everything would be asked forever.
 */
export function canFit(state: AgentState): boolean {
  const room = isViewTooLong(state) ? roomFor(state) : undefined;
  return room !== undefined && estimateViewTokens(withFit(state, room)) < estimateViewTokens(state);
}

/** The view with the cuts that make it fit, in place of earlier cuts. */
export function withFit(state: AgentState, room: number | undefined): AgentState {
  const { reductions = [], ...view } = state.view;
  const others = reductions.filter(({ name }) => name !== 'fit_window');
  const uncut = { ...state, view: others.length === 0 ? view : { ...view, reductions: others } };
  const fit = room === undefined ? undefined : fitInto(uncut, room);
  return fit ? { ...uncut, view: { ...view, reductions: [...others, fit] } } : uncut;
}

/** Undefined if the view fits uncut, or no cut makes it shorter. Pictures go where texts alone do not help. */
function fitInto(state: AgentState, room: number): WindowFit | undefined {
  const factor = factorOf(state.context);
  const sizes = viewSizes(state);
  const textOf = ({ tokens, pictures }: ViewSize): number => (tokens - frame) / factor - pictures;
  const results = sizes.flatMap((size) => (size.role === 'tool_result' ? [textOf(size)] : []));
  const others = sizes.flatMap((size) => (size.role === 'tool_result' ? [] : [textOf(size)]));
  const tooMuch = (estimateViewTokens(state) - room) / factor;
  if (tooMuch <= 0) return undefined;
  const fit = (params: FitParams): WindowFit => ({
    name: 'fit_window',
    params,
    throughSeq: state.log.nextSeq - 1,
  });
  const level = (over: number): number => Math.floor(levelOf(results, sum(results) - over));
  if (level(tooMuch) >= leastTokens) return fit({ results: level(tooMuch) });
  const pictures = sum(sizes.map((each) => each.pictures));
  const most = Math.max(leastTokens, level(tooMuch - pictures));
  const least = sum(results.map((tokens) => Math.min(tokens, most)));
  const left = sum(others) - (tooMuch - pictures - (sum(results) - least));
  const messages = Math.max(2 * leastTokens, Math.floor(levelOf(others, left)));
  const cuts = pictures > 0 || least < sum(results) || others.some((tokens) => tokens > messages);
  return cuts ? fit({ results: most, messages }) : undefined;
}

/**
 * The largest equal share with which all sizes fit; small sizes leave their unused part to large ones. 0 if none fits.
 */
function levelOf(sizes: readonly number[], room: number): number {
  if (room >= sum(sizes)) return Math.max(0, ...sizes) + frame;
  let left = Math.max(0, room);
  let level = 0;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    level = Math.min(size, left / (sizes.length - index));
    left -= level;
  }
  return level;
}

/** False for a fold that gains little and still leaves too much: a cut alone is enough then, without a summary. */
export function isWorthFolding(state: AgentState, firstKeptSeq: number, room: number): boolean {
  const folded = sum(viewSizes(state).flatMap(({ seq, tokens }) => (seq < firstKeptSeq ? [tokens] : [])));
  return estimateViewTokens(state) - folded <= room || folded >= worthFolding * room;
}

/** True if the kept part has too many messages to fit, however short each is cut. */
export function isTooMany(state: AgentState, firstKeptSeq: number, room: number): boolean {
  const sizes = viewSizes(state);
  const kept = sizes.flatMap(({ seq, tokens }) => (seq < firstKeptSeq ? [] : [tokens]));
  const least = leastTokens * factorOf(state.context) + frame;
  const fixed = estimateViewTokens(state) - sum(sizes.map(({ tokens }) => tokens));
  return fixed + sum(kept.map((tokens) => Math.min(tokens, least))) > room;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
