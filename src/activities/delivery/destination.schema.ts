// The schema of a destination: one place and the way to it. Runs in Node.
import { z } from 'zod';
import type { Infer } from '@holdfast/base/schema-output';
import { isReference } from '../secrets/references.ts';

/** The address of an incoming webhook lets everybody post who has it: it is a secret. */
const secret = z.string().refine(isReference, "expected a reference, 'secret://name'");
const chatSchema = z.strictObject({
  /** Address of the incoming webhook, as `secret://name`. */
  url: secret,
});

const mailAddress = z
  .string()
  .regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, 'expected an address, such as team@example.com');

const destinationFields = z.strictObject({
  /** A folder; each message is a file in it. */
  file: z
    .strictObject({
      /** The folder. The path starts at the config file. */
      folder: z.string().min(1),
      /** Form of the files. Default `markdown`. */
      format: z.enum(['markdown', 'json']).exactOptional(),
    })
    .exactOptional(),
  /** A program of your own: a signed JSON document by POST (catalog/schemas/delivery.json). */
  webhook: z
    .strictObject({
      /** Address; a part of it may be `secret://name`. */
      url: z.string().regex(/^(?:https?|secret):\/\//, 'expected http(s)://, or secret://name'),
      /** Key of the signature, as `secret://name`. */
      secret,
    })
    .exactOptional(),
  /** A channel of Slack, by an incoming webhook. */
  slack: chatSchema.exactOptional(),
  /** A channel of Mattermost, by an incoming webhook. */
  mattermost: chatSchema.exactOptional(),
  /** A channel of Microsoft Teams, by a webhook of its workflows. */
  teams: chatSchema.exactOptional(),
  /** E-mail by SMTP, as text and HTML. */
  email: z
    .strictObject({
      /**
       * Server, such as `smtps://user:secret://smtp-password@mail.example.com`. With `smtp://` and a user, the connection has to
       * become TLS before the password is sent.
       */
      smtp: z.string().regex(/^smtps?:\/\//, 'expected smtps:// or smtp://'),
      /** The sender, such as `Holdfast <holdfast@example.com>`. */
      from: mailAddress,
      /** The addresses that get each message, at most 50. */
      to: z.array(mailAddress).min(1).max(50),
      /**
       * File of the certificates (PEM) that vouch for that of the server; the path starts at the config file. `none` checks no
       * certificate: only for a server without a user.
       */
      ca: z.string().min(1).exactOptional(),
    })
    .refine(({ smtp, ca }) => ca !== 'none' || !smtp.includes('@'), {
      path: ['ca'],
      error: 'is none, and the server has a user: expected a file, or its password goes to anybody',
    })
    .exactOptional(),
  /** Another product, by an HTTP request as data. */
  mapping: z
    .strictObject({
      /** `discord`, `google-chat`, `jira`, `servicenow`, `pagerduty-note`, or the path of a YAML file, which starts at the config file. */
      file: z.string().min(1),
      /** Values of its settings, by name; a part of one may be `secret://name`. */
      settings: z.record(z.string().min(1), z.string()).exactOptional(),
    })
    .exactOptional(),
});

const kinds = Object.keys(destinationFields.shape).join(', ');

export const destinationSchema = destinationFields.refine(
  (destination) => Object.keys(destination).length === 1,
  `expected exactly one of ${kinds}`,
);
/** A place that gets messages of sessions. */
export type DestinationConfig = Infer<typeof destinationSchema>;
