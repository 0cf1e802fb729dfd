// The fields of a config file; those of an area with rules of its own are in its file beside this one. Runs where a process
// starts.
import { z } from 'zod';
import { agentSpecSchema, modelNameSchema, policyRulesSchema } from '../../core/agent/agent-spec.schema.ts';
import { agentModes } from '../../core/model/tool-spec.ts';
import { expectedHostName, isHostName } from '../../core/tools/hosts.ts';
import type { HoldfastConfig } from '../define-config.ts';
import { artifactsSchema } from './artifacts.schema.ts';
import { httpSchema } from './http.schema.ts';
import { mcpServersSchema } from './mcp-servers.schema.ts';
import { memorySchema } from './memory.schema.ts';
import { checkModelProviders, modelProvidersSchema, modelsSchema, providersSchema } from './models.schema.ts';
import {
  functionOf,
  hookSchema,
  modelHooksSchema,
  projectionsSchema,
  toolSchema,
} from './own-code.schema.ts';
import { policyTiersSchema } from './policy-tiers.schema.ts';
import { checkReferences, encryptionSchema, secretsSchema } from './secrets.schema.ts';
import { shellSchema } from './shell.schema.ts';
import { telemetrySchema } from './telemetry.schema.ts';

const fieldsSchema = z.strictObject({
  // a rule of one agent is for its name, and a name is no pattern
  agents: z
    .record(z.string().regex(/^[^*]+$/, 'expected a name without "*"'), agentSpecSchema)
    .exactOptional(),
  tools: z.array(toolSchema).exactOptional(),
  hooks: z.array(hookSchema).exactOptional(),
  skills: z.array(z.string().min(1)).exactOptional(),
  runbooks: z.array(z.string().min(1)).exactOptional(),
  toolGroups: z.record(z.string().min(1), z.array(z.string().min(1))).exactOptional(),
  model: modelNameSchema.exactOptional(),
  models: modelsSchema.exactOptional(),
  providers: providersSchema.exactOptional(),
  modelProviders: modelProvidersSchema.exactOptional(),
  modelQueues: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
  taskQueue: z.string().trim().min(1).exactOptional(),
  script: z.string().min(1).exactOptional(),
  policyTiers: policyTiersSchema.exactOptional(),
  policy: policyRulesSchema.exactOptional(),
  maxMode: z.enum(agentModes).exactOptional(),
  protectedPaths: z.array(z.string().min(1)).exactOptional(),
  getApiKey: functionOf<NonNullable<HoldfastConfig['getApiKey']>>().exactOptional(),
  modelHooks: modelHooksSchema.exactOptional(),
  projections: projectionsSchema.exactOptional(),
  files: z
    .strictObject({
      roots: z.array(z.string().min(1)),
      writable: z.array(z.string().min(1)).exactOptional(),
    })
    .exactOptional(),
  http: httpSchema.exactOptional(),
  toolsets: z
    .record(
      z.string().min(1),
      z.strictObject({
        settings: z.record(z.string().min(1), z.string()).exactOptional(),
        tools: z.array(z.string().min(1)).exactOptional(),
        changes: z.boolean().exactOptional(),
        enabled: z.boolean().exactOptional(),
      }),
    )
    .exactOptional(),
  mcpServers: mcpServersSchema.exactOptional(),
  secrets: secretsSchema.exactOptional(),
  encryption: encryptionSchema.exactOptional(),
  shell: shellSchema.exactOptional(),
  memory: memorySchema.exactOptional(),
  hosts: z
    .record(
      z.string().refine(isHostName, `expected ${expectedHostName}`),
      z.strictObject({ description: z.string().min(1).max(500).exactOptional() }),
    )
    .exactOptional(),
  promptDir: z.string().min(1).exactOptional(),
  artifactsDir: z.string().min(1).exactOptional(),
  artifacts: artifactsSchema.exactOptional(),
  nexus: z.boolean().exactOptional(),
  maxOutputBytes: z
    .int()
    .min(8 * 1024 ** 2, 'expected bytes, at least 8388608: an output up to there is kept whole')
    .max(1024 ** 3, 'expected bytes, at most 1073741824')
    .exactOptional(),
  telemetry: telemetrySchema.exactOptional(),
  retention: z.strictObject({ artifactsDays: z.number().min(1) }).exactOptional(),
});

export const configSchema: z.ZodType<HoldfastConfig> = fieldsSchema
  .refine(({ artifacts, artifactsDir }) => artifacts === undefined || artifactsDir === undefined, {
    path: ['artifacts'],
    error: 'is a store of its own: expected no artifactsDir beside it',
  })
  .superRefine(checkModelProviders)
  .superRefine(checkReferences);
