// The hosts that a config opens to the HTTP tools. Runs where a process starts.
import { z } from 'zod';
import { expectedEntry, isAllowEntry } from '../../activities/tools/built-in/http-allow-list.ts';

const allowEntry = z.string().refine(isAllowEntry, {
  error: ({ input }) => `${JSON.stringify(input)} is not expected here: expected ${expectedEntry}`,
});

const postPath = z
  .string()
  .regex(
    /^\/[^?#\s]*$/,
    'expected a path that begins with "/", without a query: "*" matches within one segment',
  );

export const httpSchema = z
  .strictObject({
    allow: z.array(allowEntry),
    hosts: z
      .record(
        z.string().min(1),
        z.strictObject({
          headers: z
            .record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), z.string())
            .exactOptional(),
          post: z.array(postPath).exactOptional(),
        }),
      )
      .exactOptional(),
  })
  .superRefine(({ allow, hosts = {} }, context) => {
    for (const host of Object.keys(hosts)) {
      if (allow.includes(host)) continue;
      const message = `is not in http.allow: expected one of ${allow.join(', ') || 'none'}`;
      context.addIssue({ code: 'custom', path: ['hosts', host], message });
    }
  });
