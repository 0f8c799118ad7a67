FROM node:26-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/home/node/.cache/node
WORKDIR /home/node/godwit
COPY --chown=node:node package.json package-lock.json .npmrc ./
COPY --chown=node:node bin ./bin
RUN npm ci --omit=dev --omit=optional && chown -R node:node /home/node
COPY --chown=node:node src ./src
COPY --chown=node:node strategies ./strategies
COPY --chown=node:node config ./config
COPY --chown=node:node backtest ./backtest
USER node
ENTRYPOINT ["node", "bin/godwit.js"]
CMD ["demo"]
