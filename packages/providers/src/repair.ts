// The lesson of a server's refusal: the part of a request that is not sent again. Pure.
import { type RefusedName, type Refusals, refusable } from './dialects.ts';
import { type ProviderError, isUnreadReply } from './faults.ts';

/** The same request may be taken with another key, at another address or later. */
const others = [401, 403, 404, 408, 429, 503, 529];
const delay = /\b(retry|try again) (in|after)\b/i;

/** The names of one thing: gateways that translate refuse it under the name of the wire behind them. */
const efforts = ['reasoning_effort', 'reasoning', 'thinking', 'effort'];

const alike = [
  ['budget_tokens', ...efforts],
  ['cache_control', 'block_cache_control'],
];

/** Refusals that name no field, in the words of the servers and libraries that give them. */
const signs: [words: RegExp, ...refusals: RefusedName[]][] = [
  [/reasoning_content\b[^]*(must be passed back|is missing)/i, 'unreasoned_replies'],
  [/missing an? `?thought_?signature/i, 'unsigned_calls'],
  [/must be a-z, A-Z, 0-9, with a length of 9/i, 'call_ids'],
  [/(tool_?(calls?|use)(\[\d+\])?[._]?|call_?)id\b[^]*(pattern|too long)/i, 'dotted_call_ids'],
  [/\b(roles?|messages?|user|assistant)\b[^.]*\balternat(e|ing)\b(?! model)/i, 'user_after_user'],
  [/\b(alternat(e|ing)|successive|consecutive)\b[^.]*\b(roles|user|assistant)\b/i, 'user_after_user'],
  [/role '?user'? after role '?tool/i, 'user_after_tool'],
  [
    /support (\w+ )?thinking|(?<![.\]/])\bthinking is not supported|reasoning effort\b.*not supported/i,
    ...efforts,
  ],
  [/grammar constraints with tools|json mode\b.*not supported/i, 'response_format'],
  [/\binclude_usage\b/i, 'stream_options'],
  [/\b(support|verified to|unsupported for)\b[^.]* stream(ing)?\b(?! option)|streaming is not/i, 'stream'],
  [/system role (is )?not supported|only user and assistant roles/i, 'system_role'],
  [/content type: <nil>|content\b.*(valid string|expected a string|field required)/i, 'null_content'],
  [/both content and thinking/i, 'reasoning_content'],
  [/single tool[- ]calls? at once/i, 'parallel_calls'],
  [/parse grammar/i, 'maxLength', 'maxItems'],
  [/unrecognized schema/i, 'oneOf', 'anyOf'],
];

/** A field that is wanted, or has a wrong value of its own, is no field to leave out. */
const wanting = /\b(missing|required|must be (passed|provided|set|included))\b|invalid ['"`]?signature/i;
/** Here the list of what a server takes begins. */
const takenList =
  /expected one of|supported (values|parameters|fields) are|\b(allowed|accepted|valid|expected) (values|parameters|fields)|did you mean/i;
/** Words about a value, which another name does not change. */
const ofValue = /too (large|high|big)|at most|(greater|less|more) than|maximum|exceed/i;

/** A place in the conversation, and the fields there. */
const inMessages = /\b(messages|input|contents)(?:\.|\[|\/| -> )(?:\d|content)/;
const ofMessages =
  /^(messages reasoning|\w+ (reasoning_(content|details|opaque)|thinking_blocks|extra_content|provider_specific_fields|thought_signature|(block_)?cache_control))$/;

const mentions = [
  /['"`]([^'"`\s]+)['"`]/g,
  /(?:->|\b(?:parameter|field|argument|property|keyword|name)(?:s|\(s\))?:?) ([$\w.]+)/gi,
  /([$\w.[\]/#-]+)(?=:| field\b| parameter\b| is (?:not|un|deprecated))/g,
  // a name that is no English word
  /([$\w]*[_$A-Z][$\w]*)/g,
];

/** The part that this refusal names, of all that is still sent. */
export function refusalIn(error: ProviderError, known: Refusals): RefusedName | undefined {
  const { status, headers } = error;
  // the patterns take too long for long words
  const message = error.message.slice(0, 2_000);
  const isLater = headers?.has('retry-after') || headers?.has('retry-after-ms') || delay.test(message);
  if (isLater || isUnreadReply(error) || (status !== undefined && others.includes(status))) return undefined;
  const shapes = signs.flatMap(([words, ...refusals]) => (words.test(message) ? refusals : []));
  const shape = shapes.find((refusal) => !known.has(refusal));
  if (shape !== undefined) return shape;
  if ((status !== 400 && status !== 422) || wanting.test(message)) return undefined;
  const [words = ''] = message.split(takenList);
  const paths = mentions.flatMap((pattern) => [...words.matchAll(pattern)].map(([, path = '']) => path));
  const [, place] = inMessages.exec(message) ?? [];
  return paths.flatMap(fieldsAt).find((name) => {
    if (known.has(name) || (name.startsWith('max_') && ofValue.test(message))) return false;
    return place === undefined || ofMessages.test(`${place} ${name}`);
  });
}

/** The fields in a path such as `body.stream_options.include_usage` or `reasoningEffort`, from the innermost, with their other names. */
function fieldsAt(path: string): RefusedName[] {
  return path
    .split(/[^$\w]+/)
    .reverse()
    .flatMap((step) => [step, step.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])
    .flatMap((step) => [step, ...(alike.find((names) => names.includes(step)) ?? [])])
    .filter((step) => refusable.test(step));
}
