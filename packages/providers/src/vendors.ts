// The built-in vendors, and the provider of each. A new vendor is a folder, and a line in this list.
import { defined } from '@holdfast/base/defined';
import type { ModelReply } from '@holdfast/vocabulary/model-call';
import { type CallIdForm, withWireIds } from '@holdfast/view/view-for-model';
import { anthropic } from './anthropic/vendor.ts';
import { type RefusedName, type Refusals, dialectOf } from './dialects.ts';
import { decodeStream } from './event-stream.ts';
import { ProviderError } from './faults.ts';
import { fitBody } from './fit-body.ts';
import type { ModelProvider } from './model-provider.ts';
import { openai } from './openai/vendor.ts';
import { post } from './post.ts';
import { refusalIn } from './repair.ts';
import {
  type ModelAbilities,
  type ProviderOptions,
  type Vendor,
  type WireCall,
  type WireCode,
  type WireFacts,
  clampThinkingLevel,
} from './vendor.ts';
import { type ModelRef, toLLM } from '@holdfast/vocabulary/messages';

/** The first one with a key provides the default model. */
export const vendors: readonly Vendor[] = [openai, anthropic];

export type WireName = keyof typeof openai.wires | keyof typeof anthropic.wires;
export const wireNames: readonly string[] = vendors.flatMap(({ wires }) => Object.keys(wires));

export function isWireName(name: unknown): name is WireName {
  return typeof name === 'string' && wireNames.includes(name);
}

/** The built-in providers by name; `wire` is absent if the base URL decides. */
export const builtInProviders: ReadonlyMap<string, { vendor: Vendor; wire?: string }> = new Map(
  vendors.flatMap((vendor) => [
    [vendor.name, { vendor }],
    ...Object.entries(vendor.alsoKnownAs ?? {}).map(([name, wire]) => [name, { vendor, wire }] as const),
  ]),
);

/** Without `speaks` the provider's own vendor decides by the base URL. */
export function createVendorProvider(
  name: string,
  { speaks, ...server }: ProviderOptions & { speaks?: string | undefined } = {},
): ModelProvider {
  const builtIn = builtInProviders.get(name);
  const vendor = vendors.find(({ wires }) => speaks !== undefined && speaks in wires) ?? builtIn?.vendor;
  const wireName = speaks ?? builtIn?.wire ?? vendor?.wireAt(server.baseUrl);
  const wire = wireName === undefined ? undefined : vendor?.wires[wireName];
  if (vendor === undefined || wire === undefined) {
    throw new Error(`The provider ${name} speaks ${speaks}: expected one of ${wireNames.join(', ')}.`);
  }
  const abilitiesOf = (id: string) => abilitiesFor(vendor, id, server.abilitiesOf?.(id));
  const learned = new Map<string, RefusedName[]>();
  return {
    name,
    takesImages: (id) => abilitiesOf(id).images,
    async call(request, options) {
      const { id } = request.model;
      const abilities = abilitiesOf(id);
      const level = clampThinkingLevel(request.thinkingLevel, abilities.thinkingLevels);
      const messages = request.messages.flatMap((message) => toLLM(message) ?? []);
      const known = [
        ...dialectOf(server.baseUrl ?? vendor.baseUrl, id, abilities.dialect ?? server.dialect),
        ...(abilities.refuses ?? []),
      ];
      const taught = learned.get(id) ?? [];
      learned.set(id, taught);
      return untilTaken(wire, known, taught, (refuses) => {
        const view = withWireIds(messages, idForm(wire.callIds, request.model, refuses));
        // where no call is allowed, and that cannot be said, there is nothing to call
        const isBare = request.toolChoice === 'none' && refuses.has('tool_choice');
        const asked = isBare ? { ...request, tools: [] } : request;
        return { request: asked, view, options, account: vendor, server, abilities, level, refuses };
      });
    },
  };
}

const maxRepairs = 3;

/**
 * Asks again without the parts that a refusal names, and adds them to `learned`; a request that fails for good teaches
 * nothing. No request is sent twice: a name whose absence changes nothing is passed over.
 */
async function untilTaken(
  { path, load }: WireFacts,
  known: readonly RefusedName[],
  learned: RefusedName[],
  toCall: (refuses: Refusals) => WireCall,
): Promise<ModelReply> {
  const code = await load();
  const without = async (names: readonly RefusedName[]) => {
    const call = toCall(new Set([...known, ...learned, ...names]));
    return { call, body: fitBody(await code.toBody(call), call.refuses) };
  };
  const tried = new Set([...known, ...learned]);
  const refused: RefusedName[] = [];
  const bodies: object[] = [];
  for (let asked = await without([]); ;) {
    bodies.push(asked.body);
    try {
      const reply = await callWire(path, code, asked.call, asked.body);
      learned.push(...refused);
      return refused.length === 0 ? reply : { ...reply, refused };
    } catch (error) {
      if (!(error instanceof ProviderError) || isOverflowText(error.message)) throw error;
      let name: RefusedName | undefined;
      do {
        name = bodies.length > maxRepairs ? undefined : refusalIn(error, tried);
        if (name === undefined) throw error;
        tried.add(name);
        asked = await without([...refused, name]);
      } while (bodies.some((sent) => JSON.stringify(sent) === JSON.stringify(asked.body)));
      refused.push(name);
      if (error.usage === undefined) continue;
      // a stream had begun, and its counts are booked with it
      asked.call.options.onRestart?.();
      error.usage = undefined;
    }
  }
}

async function callWire(
  path: string,
  { headersFor, Reply }: WireCode,
  call: WireCall,
  body: object,
): Promise<ModelReply> {
  const { account, server, request, options } = call;
  const answer = await post(call, path, body, { ...headersFor?.(body, call), ...request.headers });
  const { host } = new URL(server.baseUrl ?? account.baseUrl);
  const reading = { ...options, idleTimeoutMs: server.idleTimeoutMs ?? 60_000, host };
  return decodeStream(answer, reading, new Reply(request, options));
}

function idForm(form: CallIdForm, maker: ModelRef, refuses: Refusals): CallIdForm {
  if (refuses.has('call_ids')) return { characters: 'a-zA-Z0-9', maxLength: 9, isExact: true };
  return refuses.has('dotted_call_ids') ? { ...form, characters: 'a-zA-Z0-9_-' } : { ...form, maker };
}

/** A gateway's id, such as `openai/gpt-5`, means the model that it ends with. */
function abilitiesFor(vendor: Vendor, id: string, own: Partial<ModelAbilities> = {}): ModelAbilities {
  const family = id.slice(id.lastIndexOf('/') + 1);
  const [, known] = vendor.models.find(([pattern]) => pattern.test(family)) ?? [];
  // of all vendors: a gateway offers everybody's models on one wire
  const limits = vendors.flatMap(({ maxOutput }) => maxOutput);
  const [, maxOutput] = limits.find(([pattern]) => pattern.test(family)) ?? [];
  return { ...vendor.defaults, ...known, ...defined({ maxOutput }), ...own };
}

/** "Too many tokens" is also the wording of rate limits, which are no overflow, whatever else they mention. */
const rateWords =
  /rate.?limit|too many requests|tokens per (min|day|second)|\bTPM\b|throttl|quota|per minute|please wait/i;

/** Any gateway may pass on any vendor's message, so all of them count everywhere. */
export const overflowPatterns: Record<string, RegExp> = Object.assign(
  {},
  ...vendors.map(({ overflow }) => overflow),
);

export function isOverflowText(text: string): boolean {
  return !rateWords.test(text) && Object.values(overflowPatterns).some((pattern) => pattern.test(text));
}
