// Every operation of the API; catalog/schemas/openapi.json describes them. Runs in Node.
import { OpenAPIHono } from '@hono/zod-openapi';
import { isTooDeep, maxJsonDepth } from '@holdfast/base/json';
import { describeIssues } from '@holdfast/base/schema-issues';
import type { GatewayApp, GatewayEnv, GatewayParts } from './operation.ts';
import { Refusal } from './problem.ts';
import { registerAlertRoutes } from './alert-routes.ts';
import { registerAnswerRoutes } from './session-answers.ts';
import { registerEventRoutes } from './session-events.ts';
import { registerMessageRoutes } from './session-messages.ts';
import { registerReadRoutes } from './session-reads.ts';
import { registerStartRoutes } from './session-starts.ts';

/** The parts of a request that callers know by another name. */
const places: Partial<Record<string, string>> = { json: 'body', param: 'path' };

/** An app without routes, which refuses a request that does not keep to the schemas of its route. */
export function emptyApp(): GatewayApp {
  return new OpenAPIHono<GatewayEnv>({
    defaultHook: (result) => {
      const place = places[result.target] ?? result.target;
      if (!result.success)
        throw invalid(`The ${place} is not valid: ${describeIssues(result.error, place).join('; ')}.`);
      if (result.target === 'json' && isTooDeep(result.data))
        throw invalid(
          `The body is nested too deep: expected at most ${maxJsonDepth} levels of lists and objects.`,
        );
    },
  });
}

export function registerRoutes(app: GatewayApp, parts: GatewayParts): void {
  registerStartRoutes(app, parts);
  registerReadRoutes(app, parts);
  registerEventRoutes(app, parts);
  registerMessageRoutes(app, parts);
  registerAnswerRoutes(app, parts);
  registerAlertRoutes(app, parts);
}

function invalid(detail: string): Refusal {
  return new Refusal(422, 'InvalidInput', detail);
}
