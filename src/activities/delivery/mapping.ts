// Messages to other products: a YAML file says how a message becomes an HTTP request. Texts of a message reach the path,
// the query and the body, never the host or a header. Runs in Node.
import { noFault } from '@holdfast/vocabulary/run-result';
import { cutText } from '@holdfast/base/cut-text';
import { messageOf } from '@holdfast/base/message-of';
import { mapValues, mapValuesAsync } from '@holdfast/base/map-values';
import { readYaml } from '../base/read-yaml.ts';
import { isAddress } from '@holdfast/sources/address';
import { sha256Hex } from '@holdfast/stored/sha256';
import { formType, toCall } from '../toolsets/http-tool.ts';
import { fillFields, namesIn, type Values } from '@holdfast/sources/template';
import { type Card, toCard } from './card.ts';
import { DeliveryError } from './delivery-error.ts';
import type { DeliveryMessage } from './delivery-message.ts';
import { cardMarkup, cardText } from './markdown.ts';
import type { HttpMessage } from './send-http.ts';
import { z } from 'zod';
import { httpSchema, settingSchema } from '@holdfast/sources/toolset.schema';

/** A mistake in a mapping or in its settings: the worker does not start. */
export class MappingError extends Error {
  override readonly name = 'MappingError';
}

/** Throws a MappingError that names the file and the field. */
export async function openMapping(file: string, given: Readonly<Record<string, string>> = {}) {
  const mapping = await readMapping(file);
  const settings = settingsOf(mapping, given, file);
  const { http, success } = mapping;
  return {
    success,
    request: async (
      message: DeliveryMessage,
      resolve: (text: string) => Promise<string>,
    ): Promise<HttpMessage> => {
      // before the texts of the message are there: a reference in one of them stays text
      const own = await mapValuesAsync(settings, async (value) =>
        typeof value === 'string' ? resolve(value) : value,
      );
      const { method, url, body = '{}' } = callOf(mapping, message, own);
      // an optional setting may have no value
      const headers = await mapValuesAsync(fillFields(http.headers, settings), resolve);
      return { method, url, headers: { ...(http.form && formType), ...headers }, body };
    },
  };
}

/** A label that the session does not have makes a message that this mapping cannot send. */
function callOf(
  { http, maxCharacters }: Mapping,
  message: DeliveryMessage,
  settings: Values,
): ReturnType<typeof toCall> {
  try {
    return toCall(http, valuesOf(message, maxCharacters), settings);
  } catch (error) {
    const why = `its address cannot be made of this message: ${messageOf(error)}`;
    throw new DeliveryError(why, { isFinal: true });
  }
}

type Field = (message: DeliveryMessage, card: Card, most: number) => string | undefined;

/** The names that a mapping may use beside its settings and `labels.NAME`. */
const fields: Record<string, Field> = {
  id: ({ id }) => id,
  // some products take less than an id may have
  digest: ({ id }) => sha256Hex(id).slice(0, 40),
  point: ({ point }) => point,
  at: ({ at }) => at,
  title: (_, { title }) => title,
  text: (_, card, most) => cutText(cardText(card), most),
  markdown: (_, card, most) => cutText(cardMarkup(card), most),
  session: ({ session }) => session.id,
  run: ({ session }) => session.runId,
  name: ({ session }) => session.name,
  task: ({ session }) => session.task,
  url: ({ session }) => session.url,
  status: ({ end }) => end?.status,
  grade: ({ end }) => (end?.noFault ? noFault : end?.grade),
  summary: ({ end }) => end?.summary,
};

function valuesOf(message: DeliveryMessage, most = Infinity): Values {
  const card = toCard(message);
  const labels = Object.entries(message.session.labels).map(([name, value]) => [`labels.${name}`, value]);
  return { ...Object.fromEntries(labels), ...mapValues(fields, (field) => field(message, card, most)) };
}

async function readMapping(file: string): Promise<Mapping> {
  const refuse = (words: string): MappingError => new MappingError(`The mapping ${file} ${words}`);
  const mapping = await readYaml(file, { what: 'mapping', schema: mappingSchema }, refuse);
  const unknown = unknownName(mapping);
  if (unknown !== undefined) throw refuse(`is not valid: ${unknown}`);
  return mapping;
}

function unknownName({ http, settings = {} }: Mapping): string | undefined {
  const own = Object.keys(settings).map((name) => `settings.${name}`);
  const known = [...own, ...Object.keys(fields)];
  const { headers = {}, ...rest } = http;
  const inHeaders = Object.values(headers)
    .flatMap(namesIn)
    .find((name) => !own.includes(name));
  if (inHeaders !== undefined)
    return `a header names {{${inHeaders}}}: expected a setting, because texts of a message stay out of headers.`;
  const unknown = namesIn(JSON.stringify(rest)).find(
    (name) => !known.includes(name) && !name.startsWith('labels.'),
  );
  if (unknown !== undefined)
    return `it names {{${unknown}}}: expected one of ${known.join(', ')}, or labels.NAME.`;
  if (isAddress(http.url)) return undefined;
  return `its url is ${JSON.stringify(http.url)}: expected {{settings.NAME}} or http(s)://HOST first, then a path.`;
}

function settingsOf(
  { settings = {} }: Mapping,
  given: Readonly<Record<string, string>>,
  file: string,
): Values {
  const known = Object.keys(settings);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new MappingError(
      `The mapping ${file} has no setting ${unknown}: expected one of ${known.join(', ') || 'none'}.`,
    );
  const values = Object.entries(settings).map(([name, { default: preset, optional }]) => {
    const value = given[name] ?? preset;
    if (value === undefined && !optional)
      throw new MappingError(`The mapping ${file} needs its setting ${name}: set it under destinations.`);
    return [`settings.${name}`, value] as const;
  });
  return Object.fromEntries(values);
}

const mappingSchema = z.strictObject({
  description: z.string().min(1),
  settings: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), settingSchema).exactOptional(),
  http: httpSchema.extend({ method: z.enum(['POST', 'PUT', 'PATCH']) }),
  /** The longest `text` and `markdown` that the product takes; the rest is cut. */
  maxCharacters: z.int().min(100).exactOptional(),
  /** HTTP status codes of a message that was taken, as the API documents them. Default: 200 to 299. */
  success: z.array(z.int()).min(1).exactOptional(),
});
type Mapping = z.infer<typeof mappingSchema>;
