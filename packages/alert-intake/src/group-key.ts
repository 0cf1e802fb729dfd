// The group of an alert: alerts with one key are one incident. The key has the resource, so that two machines that break
// by one rule are two groups. Pure.
import type { Alert } from '@holdfast/vocabulary/alert';
import { alertWithoutSecrets, textsWithoutSecrets } from '@holdfast/redaction/alerts-without-secrets';
import { cutText } from '@holdfast/base/cut-text';
import { oneLine } from '@holdfast/base/one-line';
import { redactPatterns } from '@holdfast/redaction/redact-patterns';
import { present } from '@holdfast/base/present';
import { hasWord } from '@holdfast/base/whole-word';
import { toDigest, identityOf } from './found-alert.ts';
import { labelOf } from './route.ts';

export type Group = {
  /** At most 100 characters of A-Z, a-z, 0-9, `.`, `_`, `:` and `-`; the end is a digest of what it is made of. */
  key: string;
  /** For people, at most 120 characters. */
  title: string;
};

/** The group of an alert in the words of its sender. */
export type Grouping = {
  /** Labels by which the sender has grouped it. */
  labels?: Record<string, string>;
  /** The sender's name of the group. */
  id?: string | undefined;
};

/** Labels that name what is broken, and where. */
// oxfmt-ignore
const resourceLabels = [
  'cluster', 'kube_cluster_name', 'namespace', 'kube_namespace', 'service', 'deployment', 'kube_deployment', 'statefulset',
  'daemonset', 'pod', 'pod_name', 'instance', 'host', 'hostname', 'host_name', 'node', 'nodename', 'device', 'entity',
  'resource', 'resource_id', 'arn', 'database', 'queue',
];

const mostKey = 100;
const digits = 12;

/**
 * With `keyLabels` these labels alone decide, unless the alert has none of them. An alert that its sender has not grouped
 * is told from others by its name and all its labels.
 */
function groupOf(alert: Alert, { id, labels = {} }: Grouping, keyLabels: readonly string[] = []): Group {
  const chosen = pick(alert, keyLabels);
  if (Object.keys(chosen).length > 0) return named(chosen, Object.values(chosen));
  const resources = pick(alert, resourceLabels);
  const { alertname, ...others } = labels;
  const shown = Object.values({ ...others, ...resources });
  // the sender may name other resources when it is over
  if (id !== undefined) return named({ id }, [alert.name, ...shown]);
  if (Object.keys(labels).length === 0) {
    const own = identityOf(alert.labels);
    return named({ ...own, alertname: alert.name }, [alert.name, ...shown, ...Object.values(own)]);
  }
  return named({ ...labels, ...resources }, present([alertname, ...shown]));
}

/** The same group, with a title and a readable part of its key that hold no secret: ids are never encrypted. */
export function groupWithoutSecrets(alert: Alert, grouping: Grouping, keyLabels?: readonly string[]): Group {
  const group = groupOf(alert, grouping, keyLabels);
  const shownAlert = alertWithoutSecrets(alert);
  const labels = textsWithoutSecrets(grouping.labels ?? {});
  const isSame = shownAlert === alert && labels === (grouping.labels ?? labels);
  const shown = isSame ? group : groupOf(shownAlert, { ...grouping, labels }, keyLabels);
  const title = redactPatterns(shown.title);
  return title === group.title ? group : { title, key: `${slugOf(title)}-${group.key.slice(-digits)}` };
}

function pick(alert: Alert, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name): [string, string][] => {
    const value = labelOf(alert, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

function named(parts: Record<string, string>, shown: string[]): Group {
  const words = [...new Set(shown.slice(0, 16))].filter(
    (word, place, all) => !all.slice(0, place).some((before) => hasWord(before, word)),
  );
  const title = cutText(oneLine(words.join(' ')), 120);
  return { key: `${slugOf(title)}-${toDigest(parts, digits)}`, title };
}

function slugOf(title: string): string {
  const slug = title
    .replaceAll(/[^A-Za-z0-9._:-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .slice(0, mostKey - digits - 1)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'group' : slug;
}
