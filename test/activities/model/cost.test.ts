import { describe, expect, test } from 'vitest';
import { costOf, lookUpModel } from '../../../src/activities/model/cost.ts';

const sonnet = { provider: 'anthropic', id: 'claude-sonnet-4-5' };

describe('prices and context windows', () => {
  test('are known offline, caches included', () => {
    const { prices, contextWindow } = lookUpModel(sonnet);
    expect(prices?.input).toBeGreaterThan(0);
    expect(prices?.output).toBeGreaterThan(prices?.input ?? 0);
    expect(prices?.cacheRead).toBeLessThan(prices?.input ?? 0);
    expect(prices?.cacheWrite).toBeGreaterThan(prices?.input ?? 0);
    expect(contextWindow).toBeGreaterThanOrEqual(200_000);
    expect(lookUpModel({ provider: 'openai', id: 'gpt-5' }).prices).toBeDefined();
  });

  test('of a model that nobody knows are absent, and it costs nothing that we know of', () => {
    const unknown = lookUpModel({ provider: 'openai', id: 'my-own-llama' });
    expect(unknown).toEqual({});
    expect(costOf({ input: 1e6, cacheRead: 0, cacheWrite: 0, output: 1e6 }, unknown.prices)).toBe(0);
  });

  test("the operator's figures go first; a missing cache price is the input price", () => {
    const overrides = { 'anthropic:claude-sonnet-4-5': { prices: { input: 1, output: 2 } } };
    expect(lookUpModel(sonnet, overrides)).toEqual({
      prices: { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
      contextWindow: lookUpModel(sonnet).contextWindow,
    });
    expect(lookUpModel(sonnet, { 'anthropic:claude-sonnet-4-5': { contextWindow: 9 } }).contextWindow).toBe(
      9,
    );
  });

  test('cost is per million tokens, each kind at its price', () => {
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const usage = { input: 1_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, output: 1_000_000 };
    expect(costOf(usage, prices)).toBeCloseTo(22.05, 10);
  });
});
