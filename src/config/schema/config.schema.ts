// The fields of a config file; areas with rules of their own are in files beside this one. Runs where a process starts.
import { z } from 'zod';
import { mcpServersSchema } from '../../activities/mcp/mcp-settings.ts';
import { policyTiersSchema } from '../../activities/policy/policy-tiers.ts';
import { toolsetSettingsSchema } from '@holdfast/sources/toolset.schema';
import { agentSpecSchema, modelNameSchema, policyRulesSchema } from '../../core/agent/agent-spec.schema.ts';
import { agentModes } from '@holdfast/vocabulary/tool-spec';
import { expectedHostName, isHostName } from '../../core/tools/hosts.ts';
import { telemetrySchema } from '../telemetry.ts';
import { checkDestinations, destinationsSchema } from './destinations.schema.ts';
import { gatewaySchema, receiversSchema } from './gateway.schema.ts';
import { memorySchema, notesSchema } from './memory.schema.ts';
import { checkModelProviders, modelProvidersSchema, modelsSchema, providersSchema } from './models.schema.ts';
import {
  functionOf,
  hookSchema,
  modelHooksSchema,
  taskBoardSchema,
  projectionsSchema,
  toolSchema,
  objectWith,
} from './own-code.schema.ts';
import { checkReferences, encryptionSchema, secretsSchema } from './secrets.schema.ts';
import { shellSchema } from './shell.schema.ts';
import type { ArtifactStore } from '../../activities/storage/artifact-store.ts';
import { s3SettingsSchema } from '../../activities/storage/s3-bucket.ts';
import type { Infer } from '@holdfast/base/schema-output';
import { expectedEntry, isAllowEntry } from '../../activities/built-in/http/http-allow-list.ts';
import { httpHostSchema } from '../../activities/built-in/http/http-hosts.ts';

const ownStoreSchema = objectWith<ArtifactStore>(
  { id: 'string', put: 'function', get: 'function' },
  'expected a store: an id that is not empty, and the functions put and get; or { s3: { bucket, ... } }',
);
const s3Schema = z.strictObject({
  /** A bucket of S3, or of a server with its protocol. */
  s3: s3SettingsSchema,
});
type S3Store = Infer<typeof s3Schema>;

/** The artifact store: a bucket, or one of its own. Chosen by its key, so that an error names the form the user meant. */
const artifactsSchema = z.custom<ArtifactStore | S3Store>().superRefine((value, context) => {
  const isS3 = typeof value === 'object' && value !== null && 's3' in value;
  const { error } = (isS3 ? s3Schema : ownStoreSchema).safeParse(value);
  error?.issues.forEach((issue) => context.addIssue({ ...issue }));
});

const allowEntry = z
  .string()
  .refine(isAllowEntry, {
    error: ({ input }) => `${JSON.stringify(input)} is not expected here: expected ${expectedEntry}`,
  });

const httpSchema = z
  .strictObject({
    /** The hosts, as above. */
    allow: z.array(allowEntry),
    /**
     * By an entry of `allow`: headers that are sent to that host alone (over https, unless the entry names a port or the host
     * is loopback), and paths whose POST requests only read (http_post; `*` matches within one segment).
     */
    hosts: z.record(z.string().min(1), httpHostSchema).exactOptional(),
  })
  .superRefine(({ allow, hosts = {} }, context) => {
    for (const host of Object.keys(hosts)) {
      if (allow.includes(host)) continue;
      const message = `is not in http.allow: expected one of ${allow.join(', ') || 'none'}`;
      context.addIssue({ code: 'custom', path: ['hosts', host], message });
    }
  });

export const configFields = z.strictObject({
  // rules of one agent use its name, and a name must not be a pattern
  /**
   * Agent specs by name, beside the files in `agents/`. `investigator` and others come with the package; one of the same name replaces them. An approval waits 24 hours for its answer and is
   * then closed without one, unless `approvals.timeoutMs` says otherwise; a question waits as long, unless
   * `approvals.questionTimeoutMs` does.
   */
  agents: z
    .record(z.string().regex(/^[^*]+$/, 'expected a name without "*"'), agentSpecSchema)
    .exactOptional(),
  /** Your own tools, made with `defineTool`. */
  tools: z.array(toolSchema).exactOptional(),
  /** Your own hooks, for the list `hooks` of agents; they run in activities. */
  hooks: z.array(hookSchema).exactOptional(),
  /**
   * Folders of skills, or skill folders themselves: each skill is a folder with a SKILL.md (docs/skills.md). Relative
   * paths start at the config file. Of two skills with one name the first folder's is used.
   */
  skills: z.array(z.string().min(1)).exactOptional(),
  /**
   * Folders of runbooks, one Markdown file per alert name, for the tool find_runbook. Relative paths start at the config
   * file.
   */
  runbooks: z.array(z.string().min(1)).exactOptional(),
  /** Tools by the name of their group, for agents with `toolGroups`: the model loads a group when it needs it. */
  toolGroups: z.record(z.string().min(1), z.array(z.string().min(1))).exactOptional(),
  /** Default model, `<provider>:<model id>`. */
  model: modelNameSchema.exactOptional(),
  /** Prices, window and abilities of a model; they override the known ones. Key: `<provider>:<model id>`. */
  models: modelsSchema.exactOptional(),
  /** Model servers by the name before the colon of a model: further ones, or changes of a built-in one. */
  providers: providersSchema.exactOptional(),
  /** Your own providers, with code for a wire that Holdfast does not speak, by the name before the colon of a model. */
  modelProviders: modelProvidersSchema.exactOptional(),
  /**
   * Task queue of a provider's model calls, by the provider's name. A worker there with a rate limit limits them over all
   * workers.
   */
  modelQueues: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
  /**
   * Task queue of this project's sessions and workers. Default: a name made from the project's folder, so that two
   * projects on one server share none. Set it if workers of one project run in several folders. HOLDFAST_TASK_QUEUE
   * overrides it.
   */
  taskQueue: z.string().trim().min(1).exactOptional(),
  /** Path of the script that the provider `scripted` plays (YAML or JSON). */
  script: z.string().min(1).exactOptional(),
  /** Further judges of the calls that the rules do not deny; they only make a verdict stricter (docs/policy.md). */
  policyTiers: policyTiersSchema.exactOptional(),
  /** Rules that decide which calls run, ask a person, or are denied; see docs/policy.md. */
  policy: policyRulesSchema.exactOptional(),
  /** The highest `mode` of an agent or a start. Default `act`. */
  maxMode: z.enum(agentModes).exactOptional(),
  /** Files and folders that no tool may change. Relative paths start at the config file; `*` matches any characters. */
  protectedPaths: z.array(z.string().min(1)).exactOptional(),
  /**
   * Called before every model request with the provider's name (`openai`, `anthropic`); '' or undefined keeps the key of
   * the environment.
   */
  getApiKey:
    functionOf<(provider: string) => string | undefined | Promise<string | undefined>>().exactOptional(),
  /** Called around every HTTP request of a model call. */
  modelHooks: modelHooksSchema.exactOptional(),
  /** Trackers of your own in place of task boards, by the name that `delegation.taskBoard` has. */
  taskBoards: z.record(z.string().min(1), taskBoardSchema).exactOptional(),
  /** Change the messages of one request; the log keeps the original ones. */
  projections: projectionsSchema.exactOptional(),
  /**
   * Folders that the file tools may read, and those in them whose files `write` and `edit` may change. Relative paths start at
   * the config file. Default: none.
   */
  files: z
    .strictObject({
      /** Folders that tools may read. */
      roots: z.array(z.string().min(1)),
      /** Folders among or in `roots` whose files may be changed. */
      writable: z.array(z.string().min(1)).exactOptional(),
    })
    .exactOptional(),
  /**
   * Hosts that http_get may reach: `host` (ports 80 and 443), `host:port`, and address ranges such as `10.0.0.0/8`. A
   * host may have a loopback or private address only if it is one, is `localhost`, or resolves into a named range.
   * Default: none.
   */
  http: httpSchema.exactOptional(),
  /**
   * Toolsets by the name of one of the package (docs/sources.md) or by the path of a YAML file; relative paths start at the
   * config file.
   */
  toolsets: z.record(z.string().min(1), toolsetSettingsSchema).exactOptional(),
  /** MCP servers by name, whose tools the worker offers as `mcp__<name>__<tool>`. */
  mcpServers: mcpServersSchema.exactOptional(),
  /**
   * Sources of secrets by name, read when they are used. Settings name them as `secret://name`. Paths start at the config
   * file.
   */
  secrets: secretsSchema.exactOptional(),
  /** Encrypts all payloads of the history. Workers, clients and commands of a namespace need the same keys. */
  encryption: encryptionSchema.exactOptional(),
  /** The gateway, `holdfast gateway`: alerts and programs reach the agents by HTTP (docs/gateway.md). */
  gateway: gatewaySchema.exactOptional(),
  /** Receivers of alerts by name: `POST /alerts/<name>` (docs/alerts.md). */
  receivers: receiversSchema.exactOptional(),
  /** Places that get questions and reports, by name, for `deliver` of a start (docs/delivery.md). */
  destinations: destinationsSchema.exactOptional(),
  /** Turns on the tool bash. Default: off. */
  shell: shellSchema.exactOptional(),
  /** Lets agents find notes and past incidents again. Default: off. */
  memory: memorySchema.exactOptional(),
  /** Schedules of sessions (docs/schedules.md). */
  schedules: z
    .strictObject({
      /** Turns on the tool create_schedule: a person approves each schedule that an agent asks for. Default: false. */
      tool: z.boolean(),
    })
    .exactOptional(),
  /** Turns on the tools list_notes, read_note, write_note and progress. Default: off. */
  notes: notesSchema.exactOptional(),
  /**
   * Hosts by name that agents may work on: each has its own worker (`holdfast worker --host web-1`), whose tools the
   * investigator gets, and agents with `hosts`. Several hosts share one `taskQueue`.
   */
  hosts: z
    .record(
      z.string().refine(isHostName, `expected ${expectedHostName}`),
      z.strictObject({
        /** For the model and for people. */
        description: z.string().min(1).max(500).exactOptional(),
      }),
    )
    .exactOptional(),
  /**
   * Folder of IDENTITY.md, SOUL.md, USER.md and AGENTS.md, which enter the prompt of every agent if they exist. Default:
   * the folder of the config file.
   */
  promptDir: z.string().min(1).exactOptional(),
  /** Folder of the file store. Default `.holdfast/artifacts`. */
  artifactsDir: z.string().min(1).exactOptional(),
  /** Store of outputs, reports, logs and results in place of that folder: an S3 bucket, or your own store. */
  artifacts: artifactsSchema.exactOptional(),
  /** Workers serve the Nexus service `holdfast` on the task queue of sessions (docs/calling.md). Default: false. */
  nexus: z.boolean().exactOptional(),
  /**
   * Limit of the stored output of one tool call in bytes, from 8 MiB to 1 GiB; of a longer one its beginning, its end,
   * and the number of bytes between them are kept. A session keeps 16 times as much of its long outputs. Default
   * 67,108,864 (64 MiB).
   */
  maxOutputBytes: z
    .int()
    .min(8 * 1024 ** 2, 'expected bytes, at least 8388608: an output up to there is kept whole')
    .max(1024 ** 3, 'expected bytes, at most 1073741824')
    .exactOptional(),
  /** The log, health endpoints, metrics and traces of workers. Default: only a log. */
  telemetry: telemetrySchema.exactOptional(),
  /** Age at which `holdfast artifacts prune` removes artifacts. Nothing is removed automatically. */
  retention: z
    .strictObject({
      /** Days since the end of the session. */
      artifactsDays: z.number().min(1),
    })
    .exactOptional(),
});

export const configSchema = configFields
  .refine(({ artifacts, artifactsDir }) => artifacts === undefined || artifactsDir === undefined, {
    path: ['artifacts'],
    error: 'is a store of its own: expected no artifactsDir beside it',
  })
  .superRefine(checkModelProviders)
  .superRefine(checkDestinations)
  .superRefine(checkReferences);
