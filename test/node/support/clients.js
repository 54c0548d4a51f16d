//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

const {createRequire} = require('node:module');

// How a client is told to speak to an emulator: REST instead of gRPC, and no credentials. Each client comes with its
// own version of the library for authentication.
function options(packageName, emulator, projectId) {
    const {PassThroughClient} = createRequire(require.resolve(packageName))('google-auth-library');
    return {
        fallback: true,
        protocol: new URL(emulator.url).protocol.slice(0, -1),
        apiEndpoint: '127.0.0.1',
        port: emulator.port,
        projectId,
        authClient: new PassThroughClient(),
    };
}

function redisClient(emulator, projectId) {
    const {CloudRedisClient} = require('@google-cloud/redis');
    return new CloudRedisClient(options('@google-cloud/redis', emulator, projectId));
}

function redisClusterClient(emulator, projectId) {
    const {CloudRedisClusterClient} = require('@google-cloud/redis-cluster');
    return new CloudRedisClusterClient(options('@google-cloud/redis-cluster', emulator, projectId));
}

module.exports = {redisClient, redisClusterClient};
