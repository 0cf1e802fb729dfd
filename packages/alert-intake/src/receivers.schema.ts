// The receivers of alerts in a configuration: the form of a sender, groups, limits and routes. The house gives the schemas that it has
// already: the start of a session, a reference to a secret. Runs where a process starts.
import { z } from 'zod';
import { isRegExp } from '@holdfast/base/reg-exp';
import type { Infer } from '@holdfast/base/schema-output';
import { type AlertStart, alertSeverities } from '@holdfast/vocabulary/alert';

/** Names of the payloads that a receiver can read. */
export const alertFormats = [
  'alertmanager',
  'grafana',
  'pagerduty',
  'opsgenie',
  'datadog',
  'cloudwatch',
  'generic',
] as const;
export type AlertFormat = (typeof alertFormats)[number];

const pattern = z.string().refine(isPattern, 'expected a text, or a regular expression between slashes');

function handlingOf(start: z.ZodType<AlertStart>) {
  return {
    /** Fields of the start input: agent, profile, budget, loop.deadlineMs, tools, deliver and others. */
    start: start.exactOptional(),
    /** Words for the agent, after the facts of the alert. */
    task: z.string().min(1).max(4_000).exactOptional(),
    /** Alerts that come within this time after the first are one task, in ms. Default 30,000. */
    debounceMs: z.int().min(0).max(3_600_000).exactOptional(),
    /** No new session of a group begins within this time after its last one, in ms. Default 1,800,000. */
    cooldownMs: z
      .int()
      .min(0)
      .max(7 * 86_400_000)
      .exactOptional(),
  };
}

function routeSchemaOf(start: z.ZodType<AlertStart>) {
  return z.strictObject({
    /** For people, in the fates of alerts. Default: its place in the list. */
    name: z.string().min(1).max(100).exactOptional(),
    /**
     * Labels and their values: a text, several texts, or a regular expression between slashes. `alertname`, `severity` and
     * `status` of the alert can be named even where its sender has no such labels. All of them must match.
     */
    match: z.record(z.string().min(1), z.union([pattern, z.array(pattern).min(1)])),
    ...handlingOf(start),
    /** The reason why these alerts start nothing. */
    suppress: z.string().min(1).max(500).exactOptional(),
    /** They may use the reserve of the budget. Default: alerts with severity critical. */
    critical: z.boolean().exactOptional(),
  });
}

function isPattern(text: string): boolean {
  const isBetweenSlashes = text.length > 2 && text.startsWith('/') && text.endsWith('/');
  return isBetweenSlashes ? isRegExp(text.slice(1, -1)) : text !== '';
}

const onePointer = z.string().regex(/^(?:\/[^/]*)*$/, 'expected a JSON pointer, such as "/alert/name"');
const pointer = z.union([onePointer, z.array(onePointer).min(1)]);
const statusValues = z.array(z.string()).exactOptional();
const mappingSchema = z.strictObject({
  /** The list of alerts in the body. Absent: the body is one alert. The other pointers start at an alert. */
  alerts: pointer.exactOptional(),
  /** Its name, which must be there: a text or a number. Of several pointers the first that has a value counts, here and below. */
  name: pointer,
  /** Names it among the others. Default: made from name and labels. */
  fingerprint: pointer.exactOptional(),
  /** Its status, which is a known word or a value of the next three lists; another one is refused. Absent: it fires. */
  status: pointer.exactOptional(),
  /** Values of `status` of an alert that fires, beside words such as firing, open, problem and down. */
  firingWhen: statusValues,
  /** Values of `status` of an alert that is over, beside words such as resolved, ok, recovery, closed and up. */
  resolvedWhen: statusValues,
  /** Values of `status` that open and close nothing, beside words such as acknowledged, muted and maintenance. */
  ignoredWhen: statusValues,
  /** A word or a number of the sender; the known words become critical, error, warning or info. */
  severity: pointer.exactOptional(),
  /** Severities by the sender's words or numbers, where they are not known or mean something else there. */
  severities: z.record(z.string().min(1), z.enum(alertSeverities)).exactOptional(),
  /** Its start: a time by ISO 8601, or seconds or milliseconds since the epoch. */
  startsAt: pointer.exactOptional(),
  /** Its end, in the same forms. */
  endsAt: pointer.exactOptional(),
  /** Labels by name; a pointer to an object or to a list of pairs gives each of its texts. */
  labels: z.record(z.string().min(1), pointer).exactOptional(),
  /** Texts for the agent, by name. */
  annotations: z.record(z.string().min(1), pointer).exactOptional(),
  /** Links by title; what is no web address becomes an annotation. */
  links: z.record(z.string().min(1), pointer).exactOptional(),
});

export function receiverSchemaOf(start: z.ZodType<AlertStart>, secretReference: z.ZodType<string>) {
  return z
    .strictObject({
      /** Payload of its sender. */
      format: z.enum(alertFormats),
      /** For the format `generic`: where the fields of an alert are in the body. */
      mapping: mappingSchema.exactOptional(),
      /** For PagerDuty: the secret with which it signs, as `secret://name`; it takes the place of a token. */
      signingSecret: secretReference.exactOptional(),
      /** For CloudWatch by SNS: ARNs of the topics that are taken; their signature takes the place of a token. */
      topics: z.array(z.string().min(1)).min(1).exactOptional(),
      /**
       * Labels whose values tell one group from another; `alertname` and `severity` too. Default, and for an alert that has
       * none of them: the sender's own grouping, and instance, pod, host, resource and their like where an alert has them.
       */
      keyLabels: z.array(z.string().min(1)).min(1).exactOptional(),
      ...handlingOf(start),
      /** Sessions of this receiver that run at the same time. Default 3. */
      slots: z.int().min(1).max(1_000).exactOptional(),
      /** Sessions and money of one UTC day, spread over its hours. Default: no limit. */
      budget: z
        .strictObject({
          /** Sessions that begin on one day. */
          sessionsPerDay: z.int().min(1).exactOptional(),
          /** USD of the sessions that begin on one day; only where prices are known. */
          costUsdPerDay: z.number().gt(0).exactOptional(),
          /** The part that only critical alerts may use, from 0 to 1. Default 0.2. */
          reserve: z.number().min(0).max(1).exactOptional(),
        })
        .exactOptional(),
      /** The first route that matches an alert decides; what it leaves out is as in the receiver. */
      routes: z.array(routeSchemaOf(start)).exactOptional(),
    })
    .refine(({ format, mapping }) => (format === 'generic') === (mapping !== undefined), {
      path: ['mapping'],
      error: 'belongs to the format generic, which needs it',
    })
    .refine(({ format, topics }) => format === 'cloudwatch' || topics === undefined, {
      path: ['topics'],
      error: 'belongs to the format cloudwatch: expected no such key here',
    })
    .refine(({ format, signingSecret }) => format === 'pagerduty' || signingSecret === undefined, {
      path: ['signingSecret'],
      error: 'belongs to the format pagerduty: expected no such key here',
    });
}

/** One receiver of alerts: the form of its sender, its groups, its limits and its routes. */
export type ReceiverConfig = Infer<ReturnType<typeof receiverSchemaOf>>;
export type AlertRouteConfig = Infer<ReturnType<typeof routeSchemaOf>>;
export type AlertMapping = Infer<typeof mappingSchema>;
