# Two images: --target api (with the operator commands) and --target worker. docker-compose.yml builds both.
# The base image is pinned by tag. With a mirror of the registry, a digest can be added.

FROM node:26.10.0-bookworm-slim AS manifests
WORKDIR /app
# npm rejects a lock file if a workspace is missing.
COPY package.json package-lock.json .npmrc ./
COPY api/package.json api/
COPY bench/package.json bench/
COPY db/package.json db/
COPY domain/package.json domain/
COPY e2e/package.json e2e/
COPY frontend/package.json frontend/
COPY local/package.json local/
COPY ops/package.json ops/
COPY platform/package.json platform/
COPY testkit/package.json testkit/
COPY worker/package.json worker/

FROM manifests AS build
RUN npm ci --ignore-scripts
COPY . .
# The address in the site's pages, if it is not the studio's.
ARG SITE_URL
RUN npm run build

FROM manifests AS api-packages
RUN npm ci --ignore-scripts --omit=dev --workspace=@dune-tide/api --workspace=@dune-tide/ops

FROM manifests AS worker-packages
RUN npm ci --ignore-scripts --omit=dev --workspace=@dune-tide/worker

FROM node:26.10.0-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
# A new volume gets its owner from this folder.
RUN install -d -o node -g node /var/cache/dune-and-tide
USER node

FROM runtime AS api
COPY --from=api-packages /app ./
COPY --from=build /app/domain/dist domain/dist
COPY --from=build /app/db/dist db/dist
COPY --from=build /app/platform/dist platform/dist
COPY --from=build /app/ops/dist ops/dist
COPY --from=build /app/api/dist api/dist
COPY --from=build /app/frontend/dist frontend/dist
EXPOSE 8080 9464
# The flags of platform/src/node-flags.ts.
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "--no-memory-reducer", "--no-flush-bytecode", "api/dist/src/main.js"]

FROM runtime AS worker
COPY --from=worker-packages /app ./
COPY --from=build /app/domain/dist domain/dist
COPY --from=build /app/db/dist db/dist
COPY --from=build /app/platform/dist platform/dist
COPY --from=build /app/worker/dist worker/dist
EXPOSE 9464
# The flags of platform/src/node-flags.ts.
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "--no-memory-reducer", "--no-flush-bytecode", "worker/dist/src/main.js"]
