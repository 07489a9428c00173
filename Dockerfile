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

# Without the development dependencies, npm installs only what runs. --omit=dev is not enough: it keeps the packages of
# workspaces that only development needs, and TypeScript, which is an optional peer of a package in use.
FROM manifests AS production-manifests
RUN npm pkg delete devDependencies --workspaces --include-workspace-root

FROM production-manifests AS api-files
RUN npm ci --ignore-scripts --workspace=@dune-tide/api --workspace=@dune-tide/ops
RUN npm run --silent sbom -- --workspace=@dune-tide/api --workspace=@dune-tide/ops > sbom.cdx.json
COPY --from=build /app/domain/dist domain/dist
COPY --from=build /app/db/dist db/dist
COPY --from=build /app/platform/dist platform/dist
COPY --from=build /app/ops/dist ops/dist
COPY --from=build /app/api/dist api/dist
COPY --from=build /app/frontend/dist frontend/dist
COPY scripts/prune-image.sh /usr/local/bin/
RUN sh /usr/local/bin/prune-image.sh /app

FROM production-manifests AS worker-files
RUN npm ci --ignore-scripts --workspace=@dune-tide/worker
RUN npm run --silent sbom -- --workspace=@dune-tide/worker > sbom.cdx.json
COPY --from=build /app/domain/dist domain/dist
COPY --from=build /app/db/dist db/dist
COPY --from=build /app/platform/dist platform/dist
COPY --from=build /app/worker/dist worker/dist
COPY scripts/prune-image.sh /usr/local/bin/
RUN sh /usr/local/bin/prune-image.sh /app

# Debian and Node.js without a package manager. Only Node.js stays in /usr/local. /var/lib/dpkg/status stays because
# vulnerability scanners read it.
FROM node:26.10.0-bookworm-slim AS system
RUN find /usr/local -mindepth 1 ! -path /usr/local/bin ! -path /usr/local/bin/node -delete \
  && rm -rf /opt/* /usr/bin/apt* /usr/bin/dpkg* /usr/lib/apt /usr/lib/dpkg /usr/share/dpkg /etc/apt /var/cache/apt /var/lib/apt \
  /var/lib/dpkg/info /usr/share/doc /usr/share/info /usr/share/man
# A new volume that is mounted here gets the owner of this folder.
RUN install -d -o node -g node /var/cache/dune-and-tide

# One layer, so that what was removed is not in an earlier one.
FROM scratch AS runtime
COPY --from=system / /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_ENV=production
# The bill of materials, which says what the image contains.
LABEL dune-and-tide.sbom=/app/sbom.cdx.json
WORKDIR /app
USER node

FROM runtime AS api
COPY --from=api-files /app ./
ARG COMMIT IMAGE_TAG
LABEL org.opencontainers.image.revision=$COMMIT org.opencontainers.image.version=$IMAGE_TAG
EXPOSE 8080 9464
# The flags of platform/src/node-flags.ts.
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "--no-memory-reducer", "--no-flush-bytecode", "api/dist/src/main.js"]

FROM runtime AS worker
COPY --from=worker-files /app ./
ARG COMMIT IMAGE_TAG
LABEL org.opencontainers.image.revision=$COMMIT org.opencontainers.image.version=$IMAGE_TAG
EXPOSE 9464
# The flags of platform/src/node-flags.ts.
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=1", "--no-memory-reducer", "--no-flush-bytecode", "worker/dist/src/main.js"]
