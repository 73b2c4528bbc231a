FROM node:24-slim AS build
WORKDIR /app
RUN npm install --global pnpm@12
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
COPY server/package.json server/
COPY server/embedded-mongo/package.json server/embedded-mongo/
COPY shared/package.json shared/
COPY web/package.json web/
RUN pnpm install --frozen-lockfile --filter '@app/web...'
COPY . .
RUN node scripts/build-page.ts

FROM node:24-slim
WORKDIR /app
RUN npm install --global pnpm@12
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
COPY server/package.json server/
COPY server/embedded-mongo/package.json server/embedded-mongo/
COPY shared/package.json shared/
RUN pnpm install --prod --frozen-lockfile --filter 'evenhand...' && npm uninstall --global pnpm
COPY shared/src shared/src
COPY server/src server/src
COPY server/embedded-mongo/src server/embedded-mongo/src
COPY scripts scripts
COPY --from=build /app/web/dist web/dist
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compile-cache
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/ready').then((reply)=>process.exit(reply.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--max-old-space-size=1536", "server/src/main.ts"]
