// The facts of a vendor: its servers, their wires, and the abilities of its models. A vendor's folder fills this in;
// `vendors.ts` lists the vendors.
import { advice } from '@holdfast/base/failures';
import type { ModelRequest, ThinkingLevel } from '@holdfast/vocabulary/model-call';
import type { CallIdForm, ViewMessage } from '@holdfast/view/view-for-model';
import type { DialectName, RefusedName, Refusals } from './dialects.ts';
import type { Decoder } from './event-stream.ts';
import { ModelFault } from './faults.ts';
import type { ModelCallOptions } from './model-provider.ts';

export type Vendor<Wire extends string = string> = {
  name: string;
  /** Prefix of its environment variables: `<prefix>_API_KEY`, `<prefix>_API_KEY_FILE` and `<prefix>_BASE_URL`. */
  prefix: string;
  baseUrl: string;
  /** Used if only a key is configured. */
  defaultModel: string;
  /** The wire of a server whose provider names none; the argument is absent for the vendor's own server. */
  wireAt(baseUrl: string | undefined): Wire;
  wires: Record<Wire, WireFacts>;
  /** Further built-in providers of the vendor, with the wire of each. */
  alsoKnownAs?: Record<string, Wire>;
  defaults: ModelAbilities;
  /** Patterns over model ids, the first match wins; an unknown id gets the vendor's newest behaviour. */
  models: [pattern: RegExp, abilities: Partial<ModelAbilities>][];
  /** Output limits below the most that Holdfast asks for. */
  maxOutput: [pattern: RegExp, tokens: number][];
  /** Messages for a prompt beyond the window (COND-08), by the server that uses them. */
  overflow: Record<string, RegExp>;
};

export type WireFacts = {
  callIds: CallIdForm;
  /** Below the base URL. */
  path: string;
  /** Loaded by the first call, so that a worker starts faster. */
  load(): Promise<WireCode>;
};

export type WireCode = {
  /** Pure apart from loading images. Key order is fixed and messages come last, so that requests extend each other. */
  toBody(call: WireCall): Promise<object>;
  /** Beside those of the key. */
  headersFor?(body: object, call: WireCall): Record<string, string>;
  Reply: new (request: ModelRequest, watcher: ModelCallOptions) => Decoder<never>;
};

/** One request on its way to the wire. */
export type WireCall = {
  request: ModelRequest;
  /** The request's messages, with call ids in the form of the wire. */
  view: ViewMessage[];
  options: ModelCallOptions;
  /** The vendor whose wire it is. */
  account: VendorAccount;
  server: ProviderOptions;
  abilities: ModelAbilities;
  /** The thinking level, clamped to the model's. */
  level: ThinkingLevel;
  /** All that is not sent, as far as it is known. */
  refuses: Refusals;
};

/** The parts of a call that its request needs. */
export type ServerCall = Pick<WireCall, 'account' | 'server'> & {
  options: Partial<Pick<ModelCallOptions, 'apiKey' | 'fetch' | 'signal'>>;
};

export type ModelAbilities = {
  /** Levels it takes beside `off`; empty: it cannot be asked to think. */
  thinkingLevels: ThinkingLevel[];
  /** Anthropic: thinking by effort (adaptive) or by a token budget. */
  thinkingForm: 'effort' | 'budget';
  /** Thinks without being asked to, so the reply needs room for it. */
  thinksUnasked: boolean;
  images: boolean;
  /** The cases in which the model accepts a temperature; in others it refuses the request. */
  temperature: 'always' | 'without_thinking' | 'never';
  /** Largest output limit in tokens, thinking included; absent if unknown. */
  maxOutput?: number;
  /** Absent: that of its server. */
  dialect?: DialectName;
  /** In addition to those of the dialect. */
  refuses?: RefusedName[];
};

export type ProviderOptions = {
  /** Absent: every call must bring one, unless `baseUrl` names another server than the vendor's. */
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  /** Absent: the host and the model decide. */
  dialect?: DialectName | undefined;
  /** Limit of the time without an event, after which the reply fails; pings do not count. Default 60,000. */
  idleTimeoutMs?: number | undefined;
  /** Limit of the time to the response headers. Default 300,000: local servers answer with their first token. */
  headersTimeoutMs?: number;
  /** Abilities that override the vendor's table. */
  abilitiesOf?(modelId: string): Partial<ModelAbilities>;
};

const ladder: ThinkingLevel[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/** The requested level if supported, else the next higher, else the next lower, else off (LOOP-26). */
export function clampThinkingLevel(requested: ThinkingLevel, supported: ThinkingLevel[]): ThinkingLevel {
  if (requested === 'off') return 'off';
  const start = ladder.indexOf(requested);
  const byPreference = [...ladder.slice(start), ...ladder.slice(0, start).reverse()];
  return byPreference.find((level) => supported.includes(level)) ?? 'off';
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

/** The output limit to send: vendors include thinking in it, while our limit is for the reply alone. */
export function outputLimit({ request, level, abilities }: WireCall): number {
  const unasked = abilities.thinksUnasked ? thinkingTokens.medium : 0;
  const wanted = request.maxResponseTokens + (level === 'off' ? unasked : thinkingTokens[level]);
  return Math.min(wanted, abilities.maxOutput ?? wanted);
}

/** Empty if the model refuses a temperature. */
export function temperatureField({ request, level, abilities }: WireCall): { temperature?: number } {
  const { temperature } = request;
  const isTaken =
    abilities.temperature === 'always' || (abilities.temperature === 'without_thinking' && level === 'off');
  return temperature === undefined || !isTaken ? {} : { temperature };
}

type VendorAccount = Pick<Vendor, 'name' | 'prefix' | 'baseUrl'>;

/**
 * The key for the server of a call; servers of others, such as local ones, need none. Throws a ModelFault without one, and for one that
 * no header can carry: the error of the request would show it.
 */
export function apiKeyFor({ account: { name, prefix, baseUrl }, server, options }: ServerCall): string {
  const isForeign = server.baseUrl !== undefined && !isHostOf(server.baseUrl, baseUrl);
  const given = options.apiKey || server.apiKey || (isForeign ? 'no-key' : '');
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const fault =
    given === ''
      ? `No API key for ${name}: expected one in ${prefix}_API_KEY.`
      : `The API key for ${name} holds a blank, a line break or a character beyond ASCII: expected one word in ${prefix}_API_KEY, the key file or getApiKey.`;
  throw new ModelFault('Model.Auth', `${fault} ${advice['Model.Auth']}`);
}

/** True if a base URL is the vendor's own: the same host, or one of another region. */
export function isHostOf(baseUrl: string, vendorUrl: string): boolean {
  const domain = new URL(vendorUrl).hostname.split('.').slice(-2).join('.');
  const { hostname } = new URL(baseUrl);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
