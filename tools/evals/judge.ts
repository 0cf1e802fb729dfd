// Judges a report by the truth of its incident. Pure: the same report gets the same verdict, and no model is asked.
import {
  type CheckedClaim,
  type CheckedQuote,
  type Report,
  namesCause,
  quotesOf,
} from '@holdfast/report/report';
import type { Truth } from './truth.ts';

export type EvalGrade = {
  /** True if the root cause is right, and every fact is there. */
  found: boolean;
  /** The missing parts: `component`, `kind`, facts and sources by their names. */
  missing: string[];
  /** Claims without their evidence, and those that name a decoy as the cause; each with its reason. */
  falseClaims: string[];
  quotes: { found: number; all: number };
  /** Names of the sources that it takes, and of those with a quote that was found. */
  sources: { needed: string[]; used: string[] };
};

export function gradeReport(report: Report | undefined, truth: Truth): EvalGrade {
  const needed = Object.keys(truth.sources);
  if (report === undefined)
    return {
      found: false,
      missing: ['report'],
      falseClaims: [],
      quotes: { found: 0, all: 0 },
      sources: { needed, used: [] },
    };
  const quotes = quotesOf(report);
  const used = usedSources(quotes, truth);
  const wrong = findMissing(report, truth);
  const missing = [
    ...wrong,
    ...needed.filter((name) => !used.includes(name)).map((name) => `source ${name}`),
  ];
  const blamed = blamedDecoys(report, truth);
  return {
    found: missing.length === 0,
    missing,
    falseClaims: [
      ...blamed,
      ...wronglyConfirmed(report, [...wrong.filter(isOfCausePart), ...blamed]),
      ...unproven(report.claims),
    ],
    quotes: { found: quotes.filter(({ verified }) => verified).length, all: quotes.length },
    sources: { needed, used },
  };
}

function usedSources(quotes: readonly CheckedQuote[], { sources }: Truth): string[] {
  const calls = quotes.flatMap(({ verified, source }) =>
    verified && source ? [`${source.tool} ${source.argument}`] : [],
  );
  return Object.entries(sources).flatMap(([name, patterns]) =>
    calls.some((call) => isIn(patterns, call)) ? [name] : [],
  );
}

function isOfCausePart(part: string): boolean {
  return part === 'root cause' || part === 'component' || part === 'kind';
}

/** The grade that counts: what code has lowered misleads nobody. */
function wronglyConfirmed(report: Report, wrong: readonly string[]): string[] {
  if (wrong.length === 0 || report.grade !== 'confirmed' || !namesCause(report)) return [];
  const { component = 'no component', kind = '' } = report.rootCause ?? {};
  return [`confirmed, and wrong: ${component} (${kind})`];
}

function findMissing(report: Report, { component, kind, facts }: Truth): string[] {
  const { rootCause } = report;
  if (rootCause === undefined) return ['root cause'];
  const words = wordsOf(report);
  return [
    ...(isIn(component, rootCause.component) ? [] : ['component']),
    ...(isIn(kind, `${rootCause.kind}\n${rootCause.text}`) ? [] : ['kind']),
    ...Object.entries(facts).flatMap(([name, patterns]) => (isIn(patterns, words) ? [] : [name])),
  ];
}

/** All statements of the report, including the quotes of verified claims. Excluded causes are no findings. */
function wordsOf({ summary, rootCause, impact, claims, timeline = [] }: Report): string {
  const proven = claims.filter(({ verified }) => verified);
  return [
    summary,
    ...Object.values(rootCause ?? {}),
    ...Object.values(impact ?? {}),
    ...proven.flatMap(({ text, quotes }) => [text, ...quotes.map(({ quote }) => quote)]),
    ...timeline.map(({ at, event }) => `${at} ${event}`),
  ].join('\n');
}

function blamedDecoys({ rootCause, claims }: Report, { decoys }: Truth): string[] {
  const blamed = [
    ...(rootCause ? [`${rootCause.component} (${rootCause.kind})`, rootCause.text] : []),
    ...claims.filter(isOfCause).map(({ text }) => text),
  ];
  return Object.entries(decoys).flatMap(([name, patterns]) =>
    blamed
      .flatMap(toSentences)
      .filter((sentence) => isIn(patterns, sentence) && !denial.test(sentence))
      .map((sentence) => `names ${name} as the cause: ${sentence}`),
  );
}

/** A claim without a role is about the cause if its words say so. */
function isOfCause({ role, text }: CheckedClaim): boolean {
  return role === undefined ? /\b(caus\w+|because|due to|led to|root)\b/i.test(text) : role === 'cause';
}

/** A sentence with such a word clears the decoy. */
const denial =
  /\b(no|not|nor|never|neither|without|unrelated|harmless|ruled out|innocent|healthy|before it)\b/i;

function toSentences(text: string): string[] {
  return text.split(/(?<=[.!?;])\s+/);
}

function unproven(claims: CheckedClaim[]): string[] {
  return claims.filter(({ verified }) => !verified).map(({ text }) => `not verified: ${text}`);
}

function isIn(patterns: RegExp[], text: string): boolean {
  return patterns.some((one) => one.test(text));
}

/** Compares a killed run with one that was not: numbers and times differ between two systems. */
export function sameFindings(left: Report | undefined, right: Report | undefined): boolean {
  return JSON.stringify(findingsOf(left)) === JSON.stringify(findingsOf(right));
}

function findingsOf(report: Report | undefined): unknown {
  if (report === undefined) return null;
  const { grade, rootCause, claims, ruledOut, gaps } = report;
  const plain = (text: string): string => text.replaceAll(/\d[\d.:,TZ-]*/g, '#');
  return {
    grade,
    cause: rootCause && [rootCause.component, rootCause.kind, plain(rootCause.text)],
    claims: claims.map(({ text, role, verified, quotes }) => [plain(text), role, verified, quotes.length]),
    ruledOut: ruledOut.map(({ text }) => plain(text)),
    gaps: gaps.map(({ text }) => plain(text)),
  };
}
