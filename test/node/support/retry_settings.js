//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

const unavailable = 14;

// The second argument of a call that is to be repeated, without long waits.
const retried = {
    retry: {
        retryCodes: [unavailable],
        backoffSettings: {
            initialRetryDelayMillis: 1,
            retryDelayMultiplier: 2,
            maxRetryDelayMillis: 20,
            initialRpcTimeoutMillis: 60000,
            rpcTimeoutMultiplier: 1,
            maxRpcTimeoutMillis: 60000,
            totalTimeoutMillis: 120000,
        },
    },
};

module.exports = {retried, unavailable};
