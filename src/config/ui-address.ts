// Addresses in the Temporal UI and in Temporal's HTTP API. Pure.

export function uiAddress(uiUrl: string, namespace: string, sessionId: string): string {
  return `${listAddress(uiUrl, namespace)}/${encodeURIComponent(sessionId)}`;
}

export function listAddress(uiUrl: string, namespace: string): string {
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}

/** Address of a namespace in Temporal's HTTP API, or of a session in it. */
export function httpAddress(httpUrl: string, namespace: string, sessionId?: string): string {
  const base = `${httpUrl}/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  return sessionId === undefined ? base : `${base}/workflows/${encodeURIComponent(sessionId)}`;
}
