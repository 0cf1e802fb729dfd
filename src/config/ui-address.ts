// Where the Temporal UI shows a session. Pure.

export function uiAddress(uiUrl: string, namespace: string, sessionId: string): string {
  return `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(sessionId)}`;
}
