// What models can do, as far as a request must differ: thinking levels, how thinking is asked for, images.
// Patterns over model ids; an id that no row knows gets its vendor's newest behaviour.
import type { ModelRef } from '../../core/messages.ts';
import type { ThinkingLevel } from '../../core/model.ts';

export type ModelAbilities = {
  /** Levels it takes beside `off`; empty: it cannot be asked to think. */
  thinkingLevels: ThinkingLevel[];
  /** Anthropic: thinking by effort (adaptive) or by a token budget. */
  thinkingForm: 'effort' | 'budget';
  /** Thinks also when not asked to, so the reply needs room for it. */
  thinksUnasked: boolean;
  images: boolean;
};

type AbilityRow = [pattern: RegExp, abilities: Partial<ModelAbilities>];

const upToHigh: ThinkingLevel[] = ['low', 'medium', 'high'];
const fromMinimal: ThinkingLevel[] = ['minimal', ...upToHigh];
const upToXhigh: ThinkingLevel[] = [...upToHigh, 'xhigh'];

// Sources: the vendors' effort and reasoning guides, as of November 2026. First match wins.
const anthropicRows: AbilityRow[] = [
  [/claude-(instant|2|3-opus|3-sonnet|3-haiku|3-5)/, { thinkingLevels: [] }],
  [
    /claude-(3-7|(opus|sonnet)-4-(0|1|2025)|(opus|sonnet|haiku)-4-5)/,
    { thinkingLevels: fromMinimal, thinkingForm: 'budget' },
  ],
  [/claude-(opus|sonnet)-4-6|claude-mythos-preview/, { thinkingLevels: upToHigh }],
  [/claude-/, { thinkingLevels: upToXhigh }],
  [/./, { thinkingLevels: fromMinimal, thinkingForm: 'budget' }],
];

const openAiRows: AbilityRow[] = [
  [/^gpt-3\.5|^gpt-4$|^gpt-4-(\d|turbo-preview)/, { images: false }],
  [/^(gpt-4|chatgpt-|gpt-5[\w.-]*-chat|gpt-audio)/, {}],
  [/^o\d/, { thinkingLevels: upToHigh, thinksUnasked: true }],
  [/^gpt-5(-(pro|mini|nano|\d).*)?$/, { thinkingLevels: fromMinimal, thinksUnasked: true }],
  [/^gpt-5(\.1)?-codex-max/, { thinkingLevels: upToXhigh, thinksUnasked: true }],
  [/^gpt-5\.1|^gpt-5-codex/, { thinkingLevels: upToHigh }],
  [/^gpt-/, { thinkingLevels: upToXhigh, thinksUnasked: true }],
  [/./, { thinkingLevels: upToHigh }],
];

const defaults: ModelAbilities = {
  thinkingLevels: [],
  thinkingForm: 'effort',
  thinksUnasked: false,
  images: true,
};

/** `wire` is the vendor protocol spoken, not the provider's name in the configuration. */
export function abilitiesOf(model: ModelRef, wire: 'anthropic' | 'openai'): ModelAbilities {
  const rows = wire === 'anthropic' ? anthropicRows : openAiRows;
  const row = rows.find(([pattern]) => pattern.test(model.id));
  return { ...defaults, ...row?.[1] };
}

const ladder: ThinkingLevel[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/** The level asked for where supported, else the next higher, else the next lower, else off (LOOP-26). */
export function clampThinkingLevel(requested: ThinkingLevel, supported: ThinkingLevel[]): ThinkingLevel {
  if (requested === 'off') return 'off';
  const start = ladder.indexOf(requested);
  const upwards = ladder.slice(start);
  const downwards = ladder.slice(0, start).reverse();
  return [...upwards, ...downwards].find((level) => supported.includes(level)) ?? 'off';
}

/** Tokens that thinking may take on top of the reply itself, by level. */
export const thinkingTokens: Record<ThinkingLevel, number> = {
  off: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
};

/** The output limit to send: vendors count thinking into it, our own limit is for the reply alone. */
export function outputLimit(
  maxResponseTokens: number,
  level: ThinkingLevel,
  abilities: ModelAbilities,
): number {
  if (level !== 'off') return maxResponseTokens + thinkingTokens[level];
  return maxResponseTokens + (abilities.thinksUnasked ? thinkingTokens.medium : 0);
}
