// Temporal's interceptors for OpenTelemetry, in the bundle of workers that trace. Of the inbound calls, only the start
// is traced: a traced update answers a step later than an untraced one, so that a worker without traces could not
// replay it.
import {
  OpenTelemetryInboundInterceptor,
  OpenTelemetryInternalsInterceptor,
  OpenTelemetryOutboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/workflow/index.js';
import type { WorkflowInterceptors } from '@temporalio/workflow';

export const interceptors = (): WorkflowInterceptors => {
  const inbound = new OpenTelemetryInboundInterceptor();
  return {
    inbound: [{ execute: (input, next) => inbound.execute(input, next) }],
    outbound: [new OpenTelemetryOutboundInterceptor()],
    internals: [new OpenTelemetryInternalsInterceptor()],
  };
};
