// The hypotheses of a report as Markdown. Pure. Texts of the model are escaped (packages/base/src/plain-markdown.ts).
import { plainLine } from '../../base/src/plain-markdown.ts';
import { describePrediction, describeStanding } from './hypotheses-words.ts';
import type { RenderQuote } from './quote-markdown.ts';
import type { CheckedPrediction, Report } from './report.ts';

export function renderHypotheses(
  { hypotheses = [], rootCause }: Pick<Report, 'hypotheses' | 'rootCause'>,
  show: RenderQuote,
): string[] {
  return hypotheses.flatMap((hypothesis) => {
    const { component, kind, statement, predictions } = hypothesis;
    const about = `${plainLine(component)} (${plainLine(kind)}): ${plainLine(statement)}`;
    return [
      `- **${describeStanding(hypothesis, rootCause)}.** ${about}`,
      ...predictions.map((prediction) => renderPrediction(prediction, show)),
    ];
  });
}

function renderPrediction(prediction: CheckedPrediction, show: RenderQuote): string {
  const { id, call, expect, quote } = prediction;
  const line = `  - ${id} **${plainLine(describePrediction(prediction))}**: ${plainLine(call)}: ${plainLine(expect)}`;
  // as a part of the prediction
  return quote?.verified ? `${line}\n${show(quote).replaceAll(/^/gm, '  ')}` : line;
}
