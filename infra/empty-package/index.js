// Stands in for packages that firebase-tools requires at its start and the auth emulator never calls.
module.exports = {};
