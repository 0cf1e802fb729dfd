// The schema of a toolset file: tools as data, each a command, an HTTP request or named code with typed parameters. Runs in Node.
import { isRegExp } from '@holdfast/base/reg-exp';
import { z } from 'zod';
import type { Infer } from '@holdfast/base/schema-output';
import { fieldReaderSchema } from './field-reader.schema.ts';

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'expected lower-case letters, digits and "_", at most 64');
const description = z.string().min(1);
const common = {
  description: description.exactOptional(),
  optional: z.boolean().exactOptional(),
  /** Beside this parameter the default is not used, and no look-back. */
  unless: name.exactOptional(),
};

const variable = z.string().regex(/^[A-Za-z_]\w*$/);
const passEnvironment = z.array(variable).exactOptional();

const pattern = z.string().refine((text) => isRegExp(text), 'expected a regular expression');

/** `expected`: the description of a valid value, because the model does not read the pattern. */
const patterned = { pattern: pattern.exactOptional(), expected: description.exactOptional() };

/** Refused wherever it occurs, ignoring case. `{match}` in the words is the found text. */
const refusal = z.strictObject({ pattern, because: description });

const timeForms = ['rfc3339', 'minute', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;

/** `dash`: a text may begin with "-". Otherwise such a value is refused, because a program would read it as an option. */
const parameterSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('string'),
    default: z.string().exactOptional(),
    enum: z.array(z.string()).min(1).exactOptional(),
    ...patterned,
    refuses: z.array(refusal).exactOptional(),
    maxLength: z.int().min(1).exactOptional(),
    dash: z.boolean().exactOptional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal('integer'),
    default: z.int().exactOptional(),
    minimum: z.int().exactOptional(),
    maximum: z.int().exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal('boolean'), default: z.boolean().exactOptional() }),
  /** A point in time as in every tool (packages/base/src/time-text.ts), passed on in one form, RFC 3339 by default. */
  z.strictObject({
    ...common,
    type: z.literal('time'),
    default: z.string().exactOptional(),
    form: z.enum(timeForms).exactOptional(),
    /** A start: of a run about an alert, it is so long before the alert by default as fits this kind of data. */
    lookBack: z.enum(['logs', 'metrics', 'changes']).exactOptional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal('list'),
    default: z.array(z.string()).exactOptional(),
    ...patterned,
    maxItems: z.int().min(1).exactOptional(),
    dash: z.boolean().exactOptional(),
  }),
]);

/** A word of a command. `when`: only if the parameter or setting has a value other than false and an empty text, or the value `is`. */
const word = z.union([
  z.string(),
  z.strictObject({
    when: z.string().min(1),
    is: z.string().exactOptional(),
    words: z.array(z.string()).min(1),
  }),
]);

/** An HTTP request; the address begins with a setting, or with its host. */
export const httpSchema = z.strictObject({
  method: z.enum(['GET', 'POST']).exactOptional(),
  url: z.string().min(1),
  /** A parameter without a value is omitted. */
  query: z.record(z.string(), z.string()).exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  /** JSON; a text that is one parameter becomes the parameter's value. */
  body: z.json().exactOptional(),
  /** Instead of `body`: the fields of a form, as `application/x-www-form-urlencoded`. */
  form: z.record(z.string(), z.string()).exactOptional(),
});

/** Code of this program, which gets `with`, filled like the body of a request; default: the arguments. */
/** Code that a tool may name, for sources that neither a command nor HTTP reads safely: src/activities/toolsets/code. */
const codeNames = ['mongodb.commands', 'mongodb.collections', 'mongodb.find', 'mongodb.aggregate'] as const;
export type CodeName = (typeof codeNames)[number];

const codeSchema = z.strictObject({ run: z.enum(codeNames), with: z.json().exactOptional() });

/** An address for people; like that of a request. A part of the query that is no text is sent as JSON. */
const linkSchema = z.strictObject({
  url: z.string().min(1),
  query: z.record(z.string(), z.json()).exactOptional(),
});

const toolFields = {
  name,
  description,
  label: z.string().min(1).exactOptional(),
  /** Default once. */
  effect: z.enum(['read', 'idempotent', 'once']).exactOptional(),
  parameters: z.record(name, parameterSchema).exactOptional(),
  timeoutMs: z.int().min(1).max(3_600_000).exactOptional(),
  /** Lines of the output for the model; a number, or the name of an integer parameter. The rest is in the artifact. */
  lines: z.union([z.int().min(1), name]).exactOptional(),
  /**
   * Hosts, host:port or URLs that the command reaches. A read from a host that the configuration does not allow
   * (http.allow) counts as a change, because even a looked-up name can carry data out.
   */
  reaches: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).exactOptional(),
  sensitivity: z.array(z.string().min(1)).exactOptional(),
  /**
   * Makes rows of an answer: fields (field-reader.ts), `table`, or the name of a reader that the module beside the file
   * exports (source-answer.ts). Absent: the answer is text.
   */
  read: z
    .union([z.string().regex(/^[A-Za-z]\w*$/, 'expected fields, or the name of a reader'), fieldReaderSchema])
    .exactOptional(),
  /** Each row is a change (change-rows.ts): it is read by the tool `changes`, and the model does not have it apart. */
  rowsAre: z.literal('changes').exactOptional(),
  /** `series`: rows `{name, points}` in few lines (series-summary.ts). `log-patterns`: long logs by templates. */
  show: z.enum(['series', 'log-patterns']).exactOptional(),
  /** The most rows that the request asks for: a number, or an integer parameter. Where it is reached, the answer says so. */
  limit: z.union([z.int().min(1), name]).exactOptional(),
  /** Adds the parameter `earlier` (compare.ts): the request is sent for two windows, and the series are compared. */
  compare: z.boolean().exactOptional(),
  /**
   * Only what the judge of shell commands knows to read runs (docs/shell.md); the rest is refused with the reason. For a
   * command whose words the model chooses.
   */
  judged: z.literal(true).exactOptional(),
  /** A regular expression: an output that has it, or is blank, says that there is nothing. */
  nothing: pattern.exactOptional(),
  link: linkSchema.exactOptional(),
  /** Exit codes, or HTTP status codes, that are no failure. Default 0, or 200 to 299. */
  success: z.array(z.int()).min(1).exactOptional(),
  /** Exit codes of a read whose output is an answer that is not whole; standard error says why. */
  partial: z.array(z.int()).min(1).exactOptional(),
  /** Standard error is a part of the answer: of a program that passes on the words of another. */
  streams: z.literal('joined').exactOptional(),
};

/** Shows the effect of a changing command, before and after it. Its commands only read. */
const changeSchema = z.strictObject({
  /** Prints the object of the change, for the question and again for the result. Empty: it does not exist. */
  shows: z.array(word).min(1),
  /** Must end with exit code 0 before the change, e.g. the test of a configuration. */
  tests: z.array(word).min(1).exactOptional(),
  /** A regular expression, with parameters, for what `shows` prints after the change. Default: any difference. */
  done: z.string().exactOptional(),
  /** For people: the way to undo it, or that there is none. `{{before}}` is the last line of the earlier output of `shows`. */
  undo: z.string().min(1),
  /** An approval is for this state only; in another one the change does not run. */
  bound: z.boolean().exactOptional(),
});

type Fields = Infer<z.ZodObject<typeof toolFields>>;

function canCompare({ effect, http, show, parameters = {} }: Fields & { http?: unknown }): boolean {
  const hasTime = Object.values(parameters).some(({ type }) => type === 'time');
  const isRead = effect === 'read' && http !== undefined;
  return isRead && hasTime && parameters['earlier'] === undefined && show === 'series';
}

function canTellChanges({ effect, read, parameters = {} }: Fields): boolean {
  const { since, until, ...others } = parameters;
  const mayBeLeftOut = Object.values(others).every(
    ({ default: value, optional }) => optional === true || value !== undefined,
  );
  return (
    effect === 'read' &&
    read !== undefined &&
    since?.type === 'time' &&
    until?.type === 'time' &&
    mayBeLeftOut
  );
}

const toolSchema = z
  .strictObject({
    ...toolFields,
    command: z.array(word).min(1).exactOptional(),
    http: httpSchema.exactOptional(),
    code: codeSchema.exactOptional(),
    change: changeSchema.exactOptional(),
  })
  .refine(
    ({ parameters = {} }) =>
      Object.values(parameters).every(({ unless: other }) => !other || other in parameters),
    { error: 'unless: expected the name of another parameter' },
  )
  .refine(({ command, effect, change }) => !change || (command && effect !== 'read'), {
    error: 'change: expected a command whose effect is not read',
  })
  .refine((tool) => tool.compare !== true || canCompare(tool), {
    error:
      'compare: expected an http read with a parameter of the type time, without a parameter "earlier", and with show: series',
  })
  .refine(({ command, judged, effect }) => !judged || (command && effect === 'read'), {
    error: 'judged: expected a command whose effect is read',
  })
  .refine((tool) => tool.rowsAre === undefined || canTellChanges(tool), {
    error:
      'rowsAre: expected read, the effect read, the parameters since and until of type time, and others that may be left out',
  })
  .refine(({ code, effect, reaches }) => !code || (effect === 'read' && reaches === undefined), {
    error: 'code: expected the effect read, and no reaches',
  })
  .refine(({ command, http, code }) => [command, http, code].filter(Boolean).length === 1, {
    error: 'expected one of command, http and code, and no more',
  });

/**
 * The tools that act are bound to it beside their words. The command only reads, and prints it for people: it is in the
 * question, and a call runs only while it is the same. Its first line is the value of the setting `fills`, where the
 * configuration has none; empty: there is none.
 */
const targetSchema = z.strictObject({ command: z.array(word).min(1), fills: name.exactOptional() });

export const settingSchema = z.strictObject({
  description: description.exactOptional(),
  default: z.string().exactOptional(),
  /** The toolset works without a value; words and fields that need it are omitted. */
  optional: z.boolean().exactOptional(),
});

/** The remedy if it is missing. */
const advice = { advice: description.exactOptional() };
const prerequisiteSchema = z.union([
  z.strictObject({ program: z.string().min(1), ...advice }),
  z.strictObject({ file: z.string().min(1), ...advice }),
  z.strictObject({ command: z.array(word).min(1), output: z.string().min(1).exactOptional(), ...advice }),
  z.strictObject({ http: z.string().min(1), ...advice }),
  /** An npm package that its code loads. */
  z.strictObject({ package: z.string().min(1), ...advice }),
]);

const versions = z.array(description).min(1);

export const toolsetSchema = z.strictObject({
  name,
  description,
  /** The kinds of data that it has, for docs/sources.md. */
  tags: z.array(z.string().min(1)).exactOptional(),
  settings: z.record(name, settingSchema).exactOptional(),
  /** Variables of the environment of each command; a value may name settings and secrets. */
  environment: z.record(variable, z.string()).exactOptional(),
  /** Variables of the worker's own environment that commands receive, e.g. KUBECONFIG. */
  passEnvironment,
  /** Sent with each HTTP request. */
  headers: z.record(z.string(), z.string()).exactOptional(),
  prerequisites: z.array(prerequisiteSchema).exactOptional(),
  target: targetSchema.exactOptional(),
  /** Regular expressions for outputs: of a command that failed, a refusal and a server that is not there; of any read the others. */
  signs: z
    .strictObject({
      noAccess: pattern.exactOptional(),
      notReachable: pattern.exactOptional(),
      /** Matches the output of a command that ended well and has failed all the same. */
      failed: pattern.exactOptional(),
      /** Matches what a source prints in place of what the rights hide. */
      hidden: pattern.exactOptional(),
    })
    .exactOptional(),
  /** The right that its reads need, for people: what to grant. */
  permissions: description.exactOptional(),
  /**
   * The versions that it was tried against: `real` servers and programs; `shapes`, local servers that demand and answer as
   * the vendor documents; `not` yet. Without `real` it is a preview.
   */
  tried: z
    .strictObject({ real: versions.exactOptional(), shapes: versions.exactOptional(), not: versions })
    .exactOptional(),
  /** A server of this kind on this machine, for `holdfast init`. */
  found: z
    .union([
      /** Answers there with the text `says`, or refuses without a token. `variable` overrides the address. */
      z.strictObject({
        url: z.url(),
        path: z.string().startsWith('/'),
        says: z.string().min(1),
        variable: z.string().exactOptional(),
      }),
      /**
       * Answers `send` (bytes in hex; none: it speaks first) with bytes that match `says`, or `refuses` where it wants a
       * password. `settings` are those for another port, with `{port}`.
       */
      z.strictObject({
        port: z.int().min(1).max(65_535),
        send: z
          .string()
          .regex(/^([\da-f]{2})+$/)
          .exactOptional(),
        says: pattern,
        refuses: pattern.exactOptional(),
        settings: z.record(z.string(), z.string()),
      }),
    ])
    .exactOptional(),
  /** Real queries that `holdfast doctor` makes: calls of its tools that read. */
  checks: z
    .array(z.strictObject({ tool: name, with: z.record(z.string(), z.json()).exactOptional() }))
    .exactOptional(),
  tools: z.array(toolSchema).min(1),
});

export type Toolset = z.infer<typeof toolsetSchema>;
export type ToolsetTool = z.infer<typeof toolSchema>;
export type ToolsetChange = z.infer<typeof changeSchema>;
export type ToolsetTarget = z.infer<typeof targetSchema>;
export type ToolsetParameter = z.infer<typeof parameterSchema>;
export type ToolsetWord = z.infer<typeof word>;
export type ToolsetHttp = z.infer<typeof httpSchema>;
export type ToolsetCode = z.infer<typeof codeSchema>;
export type ToolsetLink = z.infer<typeof linkSchema>;
export type Prerequisite = z.infer<typeof prerequisiteSchema>;

/** TLS of HTTP requests: files of PEM (from the folder of the config file), or references to secrets with their text. */
const tlsSchema = z.strictObject({
  /** The authority that has signed the server's certificate, in place of those of the system. */
  ca: z.string().min(1).exactOptional(),
  /** The certificate of this client, for a server that asks for one. */
  cert: z.string().min(1).exactOptional(),
  /** The key of that certificate, without a passphrase. */
  key: z.string().min(1).exactOptional(),
  /** The name in the server's certificate, where the address has another one. */
  name: z.string().min(1).exactOptional(),
});
export type ToolsetTls = Infer<typeof tlsSchema>;

const requestFields = {
  /** Sent with each HTTP request, over the headers of the toolset's file: a tenant, the token of a proxy. */
  headers: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of a header'), z.string())
    .exactOptional(),
  /** Certificates of its HTTP requests. */
  tls: tlsSchema.exactOptional(),
};

const instanceSchema = z.strictObject({
  /** For people and the model: what it is, e.g. `production, Frankfurt`. */
  description: description.exactOptional(),
  /** Values of its settings, over those of the toolset. */
  settings: z.record(z.string().min(1), z.string()).exactOptional(),
  ...requestFields,
  /** Regular expressions for what is taken out of everything that it returns, beside secrets. */
  redact: z
    .array(
      pattern.refine(
        (text) => !isRegExp(text) || !new RegExp(text, 'u').test(''),
        'expected a pattern that does not match an empty text',
      ),
    )
    .exactOptional(),
  /** Tags of its results, e.g. `customer-data`: later calls of the run are judged by them. */
  sensitivity: z.array(z.string().min(1)).exactOptional(),
});
/** One of several servers of the same kind, e.g. the Prometheus of one region. */
export type ToolsetInstance = Infer<typeof instanceSchema>;

export const toolsetSettingsSchema = z.strictObject({
  /** Several servers by name: each tool gets the argument `instance`. Default: one server, with `settings`. */
  instances: z
    .record(z.string().regex(/^[a-z0-9][\w.-]{0,62}$/), instanceSchema)
    .refine((instances) => Object.keys(instances).length > 0, 'expected an instance at least')
    .exactOptional(),
  /** Values of its settings, by name. */
  settings: z.record(z.string().min(1), z.string()).exactOptional(),
  ...requestFields,
  /** Variables of the worker's environment that its commands receive, beside those that its file names, e.g. AWS_PROFILE. */
  passEnvironment,
  /** Names of the tools to use. Default: all that only read, and with `changes` those that change something. */
  tools: z.array(z.string().min(1)).exactOptional(),
  /** Includes the tools that declare a `change`. Default: false. */
  changes: z.boolean().exactOptional(),
  /** False: listed as disabled. */
  enabled: z.boolean().exactOptional(),
});
/** The settings of a toolset in a configuration, and the tools to use. */
export type ToolsetSettings = Infer<typeof toolsetSettingsSchema>;
