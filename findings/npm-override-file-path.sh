#!/usr/bin/env bash
# An override of npm that names a local folder is looked up inside the package that wants it, not beside package.json.
#
# With npm 11.19.1, "overrides": {"is-odd": {"is-number": "file:stub"}} resolves to node_modules/is-odd/stub, although
# the same words under "dependencies" mean the folder beside package.json. The folder does not exist there, and npm
# install still succeeds: it leaves a link to nowhere, and the program fails when it starts. "file:../../stub" works.
# The script fails when this changes.
set -euo pipefail
cd "$(mktemp -d)"
mkdir tool && npm install --silent --no-fund --no-audit --ignore-scripts --prefix tool npm@11.19.1
npm=$PWD/tool/node_modules/.bin/npm

install_with() {
  mkdir -p "$1/stub"
  echo '{"name": "stub", "version": "1.0.0", "main": "index.js"}' > "$1/stub/package.json"
  echo 'module.exports = () => true;' > "$1/stub/index.js"
  cat > "$1/package.json" <<END
{"name": "example", "private": true, "dependencies": {"is-odd": "3.0.1"}, "overrides": {"is-odd": {"is-number": "$2"}}}
END
  cd "$1"
  "$npm" install --silent --no-fund --no-audit --ignore-scripts
  echo "installed, $2"
  readlink node_modules/is-number
  node -e 'try { console.log(typeof require("is-odd")); } catch (error) { console.log(error.code); }'
  cd ..
}

install_with beside file:stub > seen
install_with climbing file:../../stub >> seen
cat seen
diff seen - <<'END'
installed, file:stub
is-odd/stub
MODULE_NOT_FOUND
installed, file:../../stub
../stub
function
END
echo "npm looks for the folder of an override inside the package that wants it"
