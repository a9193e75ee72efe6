# The command line as a container image without a shell, for CI systems that run containers:
#   docker build --tag selector-lens .
#   docker run --rm --volume "$PWD:/work:ro" selector-lens check
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
WORKDIR /src
COPY . .
RUN npm install --ignore-scripts --no-save --no-audit --no-fund && node esbuild.mjs --production

FROM gcr.io/distroless/nodejs24-debian13:nonroot
LABEL org.opencontainers.image.title="Selector Lens" \
      org.opencontainers.image.description="Checks the labels and selectors of Kubernetes manifests" \
      org.opencontainers.image.source="https://github.com/selector-lens/selector-lens" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /src/LICENSE /src/package.json /opt/selector-lens/
COPY --from=build /src/dist/NOTICES.txt /src/dist/package.json /src/dist/cli.js /src/dist/cli-start.js /src/dist/cli-main.js /src/dist/cli-shared.js /src/dist/rules.js /src/dist/svg-image.js /src/dist/mcp.js /src/dist/catalogue.js /opt/selector-lens/dist/
COPY --from=build /src/dist/server/node.js /src/dist/server/shared.js /opt/selector-lens/dist/server/
# Half the memory, for a sixth more work: see docs/ci.md.
ENV NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=1024"
USER nonroot
WORKDIR /work
ENTRYPOINT ["/nodejs/bin/node", "/opt/selector-lens/dist/cli.js"]
CMD ["check"]
