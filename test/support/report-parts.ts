// The parts of a report that a model is asked for once more where it leaves them out.
export const reportParts = {
  impact: { who: 'every checkout', since: '14:04 UTC', severity: 'one in five fails', ongoing: 'yes' },
  rootCause: {
    component: 'payments',
    kind: 'configuration',
    text: 'Its pool has two places, so charges wait.',
  },
  recommended: [{ text: 'Roll d-41 back.', risk: 'It restarts payments.', rollback: 'Deploy d-41 again.' }],
  timeline: [{ at: '14:03 UTC', event: 'Deploy d-41.' }],
};

export const claimParts = { role: 'cause', confidence: 'high' };
