// The document of a report: its sections, with words of code and values between them. It is made once, in sections.ts, and each
// form renders it in its own way: document-markdown.ts, html/document.ts. Types, and the template of words.
import type { WordMark } from '@holdfast/vocabulary/run-result';
import type { CheckedClaim, CheckedQuote, RootCause } from './report.ts';

/** The weight of a mark, which the page shows as a colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'flat';

/** Stands out: a pill on the page, and in Markdown bold, with `end` behind it. */
export type Pill = { mark: string; tone: Tone; end?: '.' | ':' };

/** A pill on the page that is plain in Markdown: a word of code or of programs, such as `in_progress`. */
export type State = { state: string; tone: Tone; end?: ':' };

/** A time in ISO 8601 for the page, and as Markdown shows it, or words of the agent for one. */
export type Time = { time: string; shown: string };

/** A duration, and the time at its end. */
export type Span = { span: string; until: string };

/** A text is from outside: each form escapes it. */
export type Value = string | { code: string } | Time | Span | Pill | State | Words;

/** A line: words of code, and the values between them. */
export type Words = { parts: readonly string[]; values: readonly Value[] };

export function prose(parts: TemplateStringsArray, ...values: Value[]): Words {
  return { parts, values };
}

export type NamedWords = [name: string, value: Words];

export type Item = {
  words: Words;
  /** The outcome of an action, with its reason. */
  outcome?: Pill & { why?: string };
  /** Who said it or decided, or how long it took. */
  by?: Words;
  /** The result of a call, or the reason of a decision. */
  result?: Words;
  /** The call that it is about, for the page. */
  callId?: string;
  notes?: Words[];
  rows?: NamedWords[];
  quotes?: readonly CheckedQuote[];
  items?: Item[];
};

export type Timed = Item & { at: Time };
export type Part = [title: string, lines: Words[]];

/** Such as `11 calls`. `isBetween`: between the first and the second half of the items. */
export type LeftOut = { what: string; isBetween?: true };

/** `isNews`: the last words, or their marks, are nowhere else in the report. */
export type Body =
  | { kind: 'rows'; items: NamedWords[] }
  | { kind: 'cause'; cause: RootCause; isFault: boolean }
  | { kind: 'list'; items: Item[]; isNumbered?: true }
  | { kind: 'times'; items: Timed[]; introduction?: string; leftOut?: LeftOut }
  | { kind: 'parts'; items: Part[] }
  | { kind: 'quotes'; items: readonly CheckedQuote[] }
  | { kind: 'claims'; items: readonly CheckedClaim[] }
  | { kind: 'answer'; words: string; marks: WordMark[]; note?: string; isNews: boolean };

/** `id` is the anchor on the page. */
export type Section = { id: string; title: string; body: Body };
