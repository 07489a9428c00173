#!/bin/sh
# Removes from an installation what no process reads, so that the images are small: types, source maps, build records,
# the packages' tests, examples and documents, and the workspaces that the image does not have. Makes the rest readable
# for the user of the image, even if the checkout was made with umask 077.
#
#   prune-image.sh FOLDER

set -eu
cd -- "${1:?the folder of the installation}"

# A workspace that the image needs has been built, so it has dist.
for manifest in */package.json; do
  workspace=${manifest%/package.json}
  if [ "$workspace" != node_modules ] && [ ! -d "$workspace/dist" ]; then rm -rf -- "$workspace"; fi
done
rm -rf -- package-lock.json .npmrc node_modules/.package-lock.json node_modules/.bin node_modules/@types

# Only next to a package.json, because such a folder elsewhere can contain code that runs.
find node_modules -type d \( -name test -o -name tests -o -name __tests__ -o -name example -o -name examples -o -name docs \
  -o -name benchmark -o -name benchmarks -o -name .github \) -prune -print | while read -r folder; do
  if [ -e "${folder%/*}/package.json" ]; then rm -rf -- "$folder"; fi
done
find node_modules -type f -name '*.md' ! -iname '*licen[cs]e*' -delete
find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsx' -o -name '*.map' \
  -o -name '*.tsbuildinfo' -o -name '*.flow' \) -delete
# Links to removed workspaces.
find . -xtype l -delete
find . -depth -type d -empty -delete
chmod -R a+rX .
