// The destinations of deliveries in a config file, and the settings that name them. Runs where a process starts.
import { z } from 'zod';
import { destinationSchema } from '../../activities/delivery/destination.schema.ts';
import { describeUnknown } from '../../core/agent/start.ts';
import type { AlertStart } from '@holdfast/vocabulary/alert';
import { destinationName, expectedDestinationName } from '@holdfast/vocabulary/deliver';

export type { DestinationConfig } from '../../activities/delivery/destination.schema.ts';

export const destinationsSchema = z.record(
  z.string().regex(destinationName, `the name is not valid: expected ${expectedDestinationName}`),
  destinationSchema,
);

type Handling = { start?: AlertStart };
type WithDestinations = {
  destinations?: object;
  receivers?: Readonly<Record<string, Handling & { routes?: Handling[] }>>;
};

/** A receiver of alerts must not find out at the end of a run that its destination is not there. */
export function checkDestinations(
  { destinations = {}, receivers = {} }: WithDestinations,
  context: z.RefinementCtx<unknown>,
): void {
  const known = Object.keys(destinations);
  for (const [name, { start, routes = [] }] of Object.entries(receivers)) {
    const deliver = [start, ...routes.map((route) => route.start)].flatMap((each) => each?.deliver ?? []);
    for (const { to } of deliver) {
      if (known.includes(to)) continue;
      const message = describeUnknown('destination', to, known);
      context.addIssue({ code: 'custom', path: ['receivers', name], message });
    }
  }
}
