// The gateway in a config file: where it listens, who may call it, and the receivers of alerts. Runs where a process
// starts.
import { loopbackHosts } from '@holdfast/base/loopback';
import { z } from 'zod';
import { agentOverrideFields } from '../../core/agent/agent-spec.schema.ts';
import { receiverSchemaOf } from '@holdfast/alert-intake/receivers.schema';
import type { AlertStart } from '@holdfast/vocabulary/alert';
import type { Infer } from '@holdfast/base/schema-output';
import { deliverSchema } from '@holdfast/vocabulary/deliver.schema';
import { secretReference } from './secrets.schema.ts';

/** Names that are parts of workflow ids and paths. */
const shortName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/,
    'expected lower-case letters and digits, with ".", "_" or "-" inside, at most 40',
  );

const defaultHost = '127.0.0.1';

/** The rights that a token may have. */
export const gatewayRights = ['alerts', 'read', 'start', 'answer'] as const;
export type GatewayRight = (typeof gatewayRights)[number];

const tokenSchema = z.strictObject({
  /** The token itself, as `secret://name`. */
  secret: secretReference,
  /**
   * `alerts` sends alerts; `read` sees sessions and alerts; `start` starts, steers and stops sessions; `answer` answers
   * approvals and questions.
   */
  may: z.array(z.enum(gatewayRights)).min(1),
});

export const gatewaySchema = z
  .strictObject({
    /** Address to listen on. Default 127.0.0.1; another one needs `tls` or `behindProxy`, and tokens. */
    host: z.string().min(1).exactOptional(),
    /** Default 7080. */
    port: z.int().min(0).max(65_535).exactOptional(),
    /** Files of the certificate chain and its key, in PEM; paths start at the config file. */
    tls: z
      .strictObject({
        /** The certificate and those between it and its root. */
        cert: z.string().min(1),
        /** The private key of the first certificate. */
        key: z.string().min(1),
      })
      .exactOptional(),
    /** True: a proxy in front of it has TLS. */
    behindProxy: z.boolean().exactOptional(),
    /** Callers by name, one token each. Their names are in the log of what they did. */
    tokens: z.record(shortName, tokenSchema).exactOptional(),
    /** Limits of one request, and of a caller. */
    limits: z
      .strictObject({
        /** Bytes of a body. Default 1,048,576. */
        bodyBytes: z
          .int()
          .min(1_024)
          .max(16 * 1024 ** 2)
          .exactOptional(),
        /** Time of a request that is no event stream, in ms. Default 30,000. */
        timeoutMs: z.int().min(1_000).max(300_000).exactOptional(),
        /** Requests of one caller in a minute; one without a token counts by its address. Default 6,000. */
        requestsPerMinute: z.int().min(1).exactOptional(),
      })
      .exactOptional(),
  })
  .refine(
    ({ host = defaultHost, tls, behindProxy }) =>
      loopbackHosts.includes(host) || tls !== undefined || behindProxy === true,
    {
      path: ['host'],
      error: 'is not loopback: expected tls beside it, or behindProxy: true where a proxy has TLS',
    },
  )
  .refine(
    ({ host = defaultHost, behindProxy = false, tokens = {} }) =>
      (loopbackHosts.includes(host) && !behindProxy) || Object.keys(tokens).length > 0,
    {
      path: ['tokens'],
      error: 'is empty, and others than this machine reach the gateway: expected a token for each caller',
    },
  );
/** The gateway (`holdfast gateway`). */
export type GatewayConfig = Infer<typeof gatewaySchema>;

const { model, profile, mode, budget, loop, tools, skills, toolGroups, hosts } = agentOverrideFields;
const startSchema: z.ZodType<AlertStart> = z.strictObject({
  agent: z.string().min(1).exactOptional(),
  model,
  profile,
  mode,
  budget,
  loop,
  tools,
  skills,
  toolGroups,
  hosts,
  deliver: deliverSchema.exactOptional(),
  labels: z.record(z.string(), z.string()).exactOptional(),
});

export const receiversSchema = z.record(shortName, receiverSchemaOf(startSchema, secretReference));
