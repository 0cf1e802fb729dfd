// Prices and context windows of models. Prices come from a packaged data set (no network), after the operator's own.
import { defined } from '@holdfast/base/defined';
import { calcPrice } from '@pydantic/genai-prices';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { ModelRef, Usage } from '@holdfast/vocabulary/messages';
import { toModelName } from '@holdfast/vocabulary/model-name';

/** USD per million tokens. */
export type ModelPrices = NonNullable<FrozenContext['prices']>;
export type ModelFacts = { prices?: ModelPrices; contextWindow?: number };
/** The operator's figures; a missing cache price is the input price. */
export type ModelOverrides = Record<
  string,
  { prices?: Pick<ModelPrices, 'input' | 'output'> & Partial<ModelPrices>; contextWindow?: number }
>;

/** Facts about a model; empty for an unknown one. Key of an override: `<provider>:<model id>`. */
export function lookUpModel(model: ModelRef, overrides: ModelOverrides = {}): ModelFacts {
  const own = overrides[toModelName(model)];
  const known = packagedFacts(model);
  const prices = own?.prices === undefined ? known.prices : withCachePrices(own.prices);
  const contextWindow = own?.contextWindow ?? known.contextWindow;
  return defined({ prices, contextWindow });
}

/** USD for the usage that a provider reported; 0 without a known price. */
export function costOf(usage: Usage, prices: ModelPrices | undefined): number {
  if (prices === undefined) return 0;
  const { input, output, cacheRead, cacheWrite } = prices;
  const micro =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite;
  return micro / 1_000_000;
}

function packagedFacts({ provider, id }: ModelRef): ModelFacts {
  const found = calcPrice({ input_tokens: 1 }, id, { providerId: provider });
  if (found === null) return {};
  const units = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'];
  const [input, output, cacheRead, cacheWrite] = units.map((unit) => basePrice(found.model_price[unit]));
  const isPriced = input !== undefined && output !== undefined;
  const prices = isPriced ? withCachePrices({ input, output, cacheRead, cacheWrite }) : undefined;
  return defined({ prices, contextWindow: found.model.context_window });
}

// ignores the higher tiers of long requests: a context has one price for its whole run
function basePrice(price: number | { base: number } | undefined): number | undefined {
  return typeof price === 'object' ? price.base : price;
}

type GivenPrices = Pick<ModelPrices, 'input' | 'output'> & {
  [Kind in keyof ModelPrices]?: number | undefined;
};

function withCachePrices({ input, output, cacheRead, cacheWrite }: GivenPrices): ModelPrices {
  return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input };
}
