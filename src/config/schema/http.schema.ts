// The hosts that a config opens to the HTTP tools. Runs where a process starts.
import { z } from 'zod';
import { expectedEntry, isAllowEntry } from '../../activities/tools/built-in/http/http-allow-list.ts';
import { httpHostSchema } from '../../activities/tools/built-in/http/http-hosts.ts';

const allowEntry = z
  .string()
  .refine(isAllowEntry, {
    error: ({ input }) => `${JSON.stringify(input)} is not expected here: expected ${expectedEntry}`,
  });

export const httpSchema = z
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
