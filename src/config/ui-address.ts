// Addresses in the Temporal UI (a session, views of the list) and in Temporal's HTTP API. Pure.
import { alertGroupType } from '../core/alerts/alert-names.ts';
import { deliveryType } from '../core/model/deliver.ts';
import { agentSessionType } from '../workflows/workflow-api.ts';

export function uiAddress(uiUrl: string, namespace: string, sessionId: string): string {
  return `${listOf(uiUrl, namespace)}/${encodeURIComponent(sessionId)}`;
}

/** Address of a namespace in Temporal's HTTP API, or of a session in it. */
export function httpAddress(httpUrl: string, namespace: string, sessionId?: string): string {
  const base = `${httpUrl}/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  return sessionId === undefined ? base : `${base}/workflows/${encodeURIComponent(sessionId)}`;
}

const alertGroups = `WorkflowType="${alertGroupType}" AND ExecutionStatus="Running"`;
const sessions = `WorkflowType="${agentSessionType}"`;

/** Filters of the list, by the name that a browser stores. */
export const savedViews: Record<string, string> = {
  'Holdfast: waits for people': `${sessions} AND ExecutionStatus="Running" AND WaitingFor IN ("approval","question","operator")`,
  'Holdfast: at work': `${sessions} AND ExecutionStatus="Running" AND AgentStatus="running"`,
  'Holdfast: failed': `${sessions} AND (ExecutionStatus="Failed" OR Outcome="failed")`,
  'Holdfast: not delivered': `WorkflowType="${deliveryType}" AND ExecutionStatus!="Completed"`,
  'Holdfast: alerts that wait': `${alertGroups} AND AlertFates="waiting"`,
  'Holdfast: alerts suppressed': `${alertGroups} AND AlertFates="suppressed"`,
  'Holdfast: not confirmed': `${sessions} AND ExecutionStatus="Completed" AND (Outcome IS NULL OR Outcome!="completed/confirmed")`,
};

/** The UI stores views in the browser, and saves one when it is opened by this address. */
export function viewAddress(uiUrl: string, namespace: string, name: string, query: string): string {
  const parameters = `query=${encodeURIComponent(query)}&savedQuery=${encodeURIComponent(name)}`;
  return `${listOf(uiUrl, namespace)}?${parameters}`;
}

function listOf(uiUrl: string, namespace: string): string {
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
