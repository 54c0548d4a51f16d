//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

'use strict';

const assert = require('node:assert/strict');

// Polls until an operation ends, and says what it made.
async function result([operation]) {
    const [made] = await operation.promise();
    return made;
}

// Whether `actual` has all that `expected` has, and the same.
function assertHas(actual, expected) {
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(actual[key], value, key);
}

// The error that a call ends with.
async function failure(call) {
    try {
        await call;
    } catch (error) {
        return error;
    }
    return assert.fail('the call has succeeded');
}

// Whether @google-cloud/redis-cluster was told that this resource exists. Its version of gax makes codes of the HTTP
// status alone, whatever the body says: 409 is ABORTED to it.
function assertExists(error, name) {
    assertHas(error, {code: 10, message: `Resource '${name}' already exists`});
    assertHas(details(error, 'ResourceInfo')[0], {resourceName: name});
}

// The details of an error that are of this type, as plain objects.
function details(error, type) {
    return (error.statusDetails ?? []).filter((each) => each.constructor.name === type).map((each) => each.toJSON());
}

module.exports = {assertExists, assertHas, details, failure, result};
