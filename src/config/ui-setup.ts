// Views and columns of the Temporal UI, as one line for the console of a browser: the UI keeps them there, and a link can save
// only one view and no column. The keys and forms are those of the UI's stores saved-queries and configurable-table-columns,
// from 2.42 to 2.54. Pure.
import type { SearchAttributeName } from '@holdfast/vocabulary/outer-names';
import { alertGroupType, deliveryType } from '@holdfast/vocabulary/workflow-ids';
import { agentSessionType } from '../workflows/session/workflow-api.ts';

const alertGroups = `WorkflowType="${alertGroupType}" AND ExecutionStatus="Running"`;
const sessions = `WorkflowType="${agentSessionType}"`;

/** Filters of the list, by name. */
export const savedViews: Record<string, string> = {
  'Holdfast: sessions': sessions,
  'Holdfast: waits for people': `${sessions} AND ExecutionStatus="Running" AND WaitingFor IN ("approval","question","operator")`,
  'Holdfast: at work': `${sessions} AND ExecutionStatus="Running" AND AgentStatus="running"`,
  'Holdfast: failed': `${sessions} AND (ExecutionStatus="Failed" OR Outcome="failed")`,
  'Holdfast: not delivered': `WorkflowType="${deliveryType}" AND ExecutionStatus!="Completed"`,
  'Holdfast: alerts that wait': `${alertGroups} AND AlertFates="waiting"`,
  'Holdfast: alerts suppressed': `${alertGroups} AND AlertFates="suppressed"`,
  'Holdfast: not confirmed': `${sessions} AND ExecutionStatus="Completed" AND (Outcome IS NULL OR Outcome!="completed/confirmed")`,
};

const attributes: SearchAttributeName[] = ['WaitingFor', 'Outcome', 'CostUsd', 'AgentName'];
/** Columns of the list, in their order. */
export const columns = ['Status', 'Workflow ID', ...attributes, 'Start', 'End', 'Type'];

/** Sets the columns of this namespace and adds the views to those of the person; a second time it changes nothing more. */
export function uiSetup(namespace: string): string {
  const given = [namespace, columns, savedViews].map((value) => JSON.stringify(value)).join();
  const change =
    'e("namespace-workflow-table-columns",()=>c.map(label=>({label})));' +
    'e("saved-workflow-queries",(q=[])=>[...q.filter(({name})=>!(name in v)),' +
    '...Object.entries(v).map(([name,query])=>({id:name,name,query,type:"user"}))]);';
  const edit =
    'const s=localStorage,e=(k,f)=>{const o=JSON.parse(s[k]||"{}");o[n]=f(o[n]);s[k]=JSON.stringify(o)};';
  return `((n,c,v)=>{${edit}${change}location.reload()})(${given})`;
}
