// Anthropic as a vendor. Sources: its effort and pricing guides, as of November 2026.
import type { ThinkingLevel } from '@holdfast/vocabulary/model-call';
import type { Vendor } from '../vendor.ts';

const upToHigh: ThinkingLevel[] = ['low', 'medium', 'high'];
const fromMinimal: ThinkingLevel[] = ['minimal', ...upToHigh];

export const anthropic = {
  name: 'anthropic',
  prefix: 'ANTHROPIC',
  baseUrl: 'https://api.anthropic.com',
  defaultModel: 'anthropic:claude-sonnet-5-5',
  wireAt: () => 'messages',
  wires: {
    messages: {
      callIds: { characters: 'a-zA-Z0-9_-', maxLength: 64 },
      path: '/v1/messages',
      load: async () => (await import('./messages.ts')).messagesWire,
    },
  },
  defaults: {
    thinkingLevels: [],
    thinkingForm: 'effort',
    thinksUnasked: false,
    images: true,
    // thinking allows only its own temperature
    temperature: 'without_thinking',
  },
  models: [
    [/claude-(instant|2|3-opus|3-sonnet|3-haiku|3-5)/, { thinkingLevels: [] }],
    [
      /claude-(3-7|(opus|sonnet)-4-(0|1|2025)|(opus|sonnet|haiku)-4-5)/,
      { thinkingLevels: fromMinimal, thinkingForm: 'budget' },
    ],
    [/claude-(opus|sonnet)-4-6|claude-mythos-preview/, { thinkingLevels: upToHigh }],
    [/claude-/, { thinkingLevels: [...upToHigh, 'xhigh'] }],
    [/./, { thinkingLevels: fromMinimal, thinkingForm: 'budget' }],
  ],
  maxOutput: [
    [/claude-3-(opus|sonnet|haiku)/, 4_096],
    [/claude-3-5/, 8_192],
    [/claude-opus-4-(0|1|2025)/, 32_000],
    [/claude-(3-7|sonnet-4|(opus|haiku)-4-5)/, 64_000],
  ],
  overflow: {
    anthropic: /prompt is too long/i,
    anthropicWithReply: /input length and `?max_tokens`? exceed context limit/i,
    bedrock: /input is too long for requested model/i,
  },
} satisfies Vendor<'messages'>;
