// The words for a server that serves nothing: it is away, lacks the namespace, or refuses. Pure.
import { isGrpcDeadlineError, isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { messageOf } from '@holdfast/base/message-of';

export const grpcStatus = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
};

/** A wrong namespace has words of its own. */
export function describeTrouble(cause: unknown, server: { address: string; namespace: string }): string {
  const lacksNamespace =
    cause instanceof NamespaceNotFoundError ||
    (isGrpcServiceError(cause) && cause.code === grpcStatus.notFound);
  const details = innermost(cause);
  const said = lacksNamespace
    ? `has no namespace "${server.namespace}": set TEMPORAL_NAMESPACE.`
    : isGrpcDeadlineError(cause) || details === undefined
      ? 'does not answer. Check that it runs, and TEMPORAL_ADDRESS.'
      : `refused: ${details}`;
  return `The Temporal server at ${server.address} ${said}`;
}

/** The server's own message; undefined for one that is away. */
export function innermost(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (isGrpcServiceError(current))
      // a worker's connection gives no details
      return current.code === grpcStatus.unavailable ? undefined : current.details || current.message;
  }
  return messageOf(error);
}
