// Reads the webhook of Grafana: that of unified alerting, which has the form of Alertmanager's, and the older one with
// one alert and a `state`. Pure.
import { z } from 'zod';
import { isRecord } from '../../../core/base/json.ts';
import { anything, noAlert, optionalBag, type ReadFormat, reader } from '../shape.ts';
import { readerOf } from './alertmanager.ts';

const what = 'webhook of Grafana';
const readUnified = readerOf(what, 'Grafana');

const statuses = { alerting: 'firing', no_data: 'firing', ok: 'resolved' } as const;

const legacySchema = z.object({
  state: z.enum(
    ['alerting', 'no_data', 'ok', 'pending', 'paused'],
    'expected "alerts", or a state of Grafana',
  ),
  title: anything,
  message: anything,
  ruleId: anything,
  ruleName: anything,
  ruleUrl: anything,
  imageUrl: anything,
  externalURL: anything,
  evalMatches: anything,
  tags: optionalBag,
  groupLabels: optionalBag,
  commonLabels: optionalBag,
  commonAnnotations: optionalBag,
});

const readLegacy = reader(what, legacySchema, (body) => {
  const { state, title, message, evalMatches, ruleId, ruleName } = body;
  if (state === 'pending' || state === 'paused') return noAlert(`A rule that is ${state}`, 'is no alert');
  const labels = { ...body.tags, ...body.commonLabels };
  const links = { Rule: body.ruleUrl, Image: body.imageUrl, Grafana: body.externalURL };
  return [
    {
      status: statuses[state],
      name: labels['alertname'] ?? ruleName ?? title,
      labels,
      links,
      annotations: { title, message, evalMatches, ...body.commonAnnotations },
      groupLabels: body.groupLabels,
      groupId: ruleId,
    },
  ];
});

export const readGrafana: ReadFormat = (body, receiver) =>
  isRecord(body) && 'alerts' in body ? readUnified(body, receiver) : readLegacy(body, receiver);
