# The Holdfast CLI and worker. Debian, because Temporal's native core has no musl build.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/shell-judge/package.json packages/shell-judge/
COPY scripts/reference/package.json scripts/reference/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY bin bin
COPY examples examples
COPY packages packages
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# TLS to Temporal and to model vendors needs root certificates, which the slim image lacks
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
COPY agents agents
COPY schemas schemas
COPY templates templates
COPY toolsets toolsets
COPY mcp mcp
COPY destinations destinations
# notes and artifacts; all workers of a session must share it
ENV NODE_ENV=production HOLDFAST_DIR=/data
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
ENTRYPOINT ["node", "/app/bin/holdfast.js"]
CMD ["worker"]
