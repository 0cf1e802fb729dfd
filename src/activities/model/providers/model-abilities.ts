// What models can do, as far as a request must differ: thinking levels, how thinking is asked for, images, limits.
// Patterns over model ids; an id that no row knows gets its vendor's newest behaviour.
import type { ModelRef } from '../../../core/model/messages.ts';
import type { ModelRequest, ThinkingLevel } from '../../../core/model/model-call.ts';

export type ModelAbilities = {
  /** Levels it takes beside `off`; empty: it cannot be asked to think. */
  thinkingLevels: ThinkingLevel[];
  /** Anthropic: thinking by effort (adaptive) or by a token budget. */
  thinkingForm: 'effort' | 'budget';
  /** Thinks also when not asked to, so the reply needs room for it. */
  thinksUnasked: boolean;
  images: boolean;
  /** When a temperature may be sent; else the model refuses the request. */
  temperature: 'always' | 'without_thinking' | 'never';
  /** Tokens of output that it can be asked for, thinking included; absent: not known. */
  maxOutput?: number;
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

const alwaysThinks = { thinksUnasked: true, temperature: 'never' as const };

const openAiRows: AbilityRow[] = [
  [/^gpt-oss/, { thinkingLevels: upToHigh, thinksUnasked: true, images: false }],
  [/^gpt-3\.5|^gpt-4$|^gpt-4-(\d|turbo-preview)/, { images: false }],
  [/^(gpt-4|chatgpt-|gpt-5[\w.-]*-chat|gpt-audio)/, {}],
  [/^o\d/, { thinkingLevels: upToHigh, ...alwaysThinks }],
  [/^gpt-5(-(pro|mini|nano|\d).*)?$/, { thinkingLevels: fromMinimal, ...alwaysThinks }],
  [/^gpt-5(\.1)?-codex-max/, { thinkingLevels: upToXhigh, ...alwaysThinks }],
  [/^gpt-5-codex/, { thinkingLevels: upToHigh, temperature: 'never' }],
  [/^gpt-5\.1/, { thinkingLevels: upToHigh, temperature: 'without_thinking' }],
  [/^gpt-/, { thinkingLevels: upToXhigh, ...alwaysThinks }],
  [/./, { thinkingLevels: upToHigh }],
];

/** Where it is lower than what we may ask for. */
const outputRows: [pattern: RegExp, maxOutput: number][] = [
  [/claude-3-(opus|sonnet|haiku)|^gpt-3\.5|^gpt-4-turbo/, 4_096],
  [/claude-3-5|^gpt-4(-\d{4})?$/, 8_192],
  [/^gpt-4o/, 16_384],
  [/claude-opus-4-(0|1|2025)/, 32_000],
  [/^gpt-4\.1/, 32_768],
  [/claude-(3-7|sonnet-4|(opus|haiku)-4-5)/, 64_000],
];

const defaults: Record<ModelWire, ModelAbilities> = {
  anthropic: {
    thinkingLevels: [],
    thinkingForm: 'effort',
    thinksUnasked: false,
    images: true,
    // thinking allows no temperature but its own
    temperature: 'without_thinking',
  },
  openai: {
    thinkingLevels: [],
    thinkingForm: 'effort',
    thinksUnasked: false,
    images: true,
    temperature: 'always',
  },
};

/** The vendor protocol spoken, not the provider's name in the configuration. */
export type ModelWire = 'anthropic' | 'openai';

/** A gateway's id, such as `openai/gpt-5`, means the model that it ends with. */
function abilitiesOf(
  { id }: Pick<ModelRef, 'id'>,
  wire: ModelWire,
  own: Partial<ModelAbilities> = {},
): ModelAbilities {
  const family = id.slice(id.lastIndexOf('/') + 1);
  const rows = wire === 'anthropic' ? anthropicRows : openAiRows;
  const found = rows.find(([pattern]) => pattern.test(family))?.[1];
  const maxOutput = outputRows.find(([pattern]) => pattern.test(family))?.[1];
  return { ...defaults[wire], ...found, ...(maxOutput !== undefined && { maxOutput }), ...own };
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

/** What the request's model can do, and the level that it is asked for. */
export function abilitiesFor(
  { model, thinkingLevel }: ModelRequest,
  wire: ModelWire,
  own?: Partial<ModelAbilities>,
): { abilities: ModelAbilities; level: ThinkingLevel } {
  const abilities = abilitiesOf(model, wire, own);
  return { abilities, level: clampThinkingLevel(thinkingLevel, abilities.thinkingLevels) };
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
  const unasked = abilities.thinksUnasked ? thinkingTokens.medium : 0;
  const wanted = maxResponseTokens + (level === 'off' ? unasked : thinkingTokens[level]);
  return Math.min(wanted, abilities.maxOutput ?? wanted);
}

/** The temperature to send, where the model takes one. */
export function temperatureField(
  temperature: number | undefined,
  level: ThinkingLevel,
  abilities: ModelAbilities,
): { temperature?: number } {
  const taken =
    abilities.temperature === 'always' || (abilities.temperature === 'without_thinking' && level === 'off');
  return temperature === undefined || !taken ? {} : { temperature };
}
