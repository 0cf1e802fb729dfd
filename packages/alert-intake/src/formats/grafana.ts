// Reads the webhook of Grafana: that of unified alerting, which has the form of Alertmanager's, and the older one with
// one alert and a `state`. Pure.
import { z } from 'zod';
import { isRecord } from '@holdfast/base/json';
import { optionalBag, type ReadFormat, reader, statusOf } from '../shape.ts';
import { createReader } from './alertmanager.ts';

const what = 'webhook of Grafana';
const readUnified = createReader(what, 'Grafana');

const legacySchema = z.looseObject({
  state: statusOf('"alerts", or a state of Grafana'),
  tags: optionalBag,
  groupLabels: optionalBag,
  commonLabels: optionalBag,
  commonAnnotations: optionalBag,
});

const readLegacy = reader(what, legacySchema, (body) => {
  const { state: status, title, message, evalMatches, ruleId, ruleName } = body;
  const labels = { ...body.tags, ...body.commonLabels };
  const links = { Rule: body.ruleUrl, Image: body.imageUrl, Grafana: body.externalURL };
  return [
    {
      status,
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
