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
# Root certificates for TLS to Temporal and to vendors, the sandbox, and the programs of toolsets that Debian has in a recent
# version. docs/containers.md says which toolsets are off, and how an image of your own adds their programs.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bubblewrap ca-certificates curl dnsutils git iproute2 mariadb-client openssl postgresql-client procps redis-tools \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
COPY agents agents
COPY docs docs
COPY schemas schemas
COPY templates templates
COPY toolsets toolsets
COPY mcp mcp
COPY destinations destinations
# notes and artifacts; all workers of a session must share it
ENV NODE_ENV=production HOLDFAST_DIR=/data
RUN mkdir /data && chown node:node /data && ln -s /app/bin/holdfast.js /usr/local/bin/holdfast
VOLUME /data
USER node
ENTRYPOINT ["holdfast"]
CMD ["worker"]
