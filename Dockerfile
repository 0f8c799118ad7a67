FROM node:26.10.0-slim
# Whatever a configuration says, state lies in the volume, where the health check finds the daemon. So does the claim of the key: the home
# directory of a read-only container cannot be written, and containers that share the volume see each other.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/home/node/.cache/node GODWIT__run__directory=/var/lib/godwit/run GODWIT_CLAIMS=/var/lib/godwit/claims
WORKDIR /opt/godwit
COPY package.json package-lock.json .npmrc ./
COPY bin ./bin
RUN npm ci --omit=dev --omit=optional && npm cache clean --force && install -d -o node -g node /var/lib/godwit
COPY src ./src
COPY strategies ./strategies
COPY config ./config
COPY backtest ./backtest
USER node
WORKDIR /var/lib/godwit
VOLUME /var/lib/godwit
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "/opt/godwit/bin/godwit.js", "health"]
ENTRYPOINT ["node", "/opt/godwit/bin/godwit.js"]
CMD ["demo"]
