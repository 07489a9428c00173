#!/bin/sh
# Removes from an installation what no process reads, so that the images are small: types, source maps, build records,
# the manifests of workspaces that the image does not have. Makes the rest readable for the user of the image, also if
# the checkout was made with umask 077.
#
#   prune-image.sh FOLDER

set -eu
cd -- "${1:?the folder of the installation}"

# A workspace of the image has been built.
for manifest in */package.json; do
  workspace=${manifest%/package.json}
  if [ "$workspace" != node_modules ] && [ ! -d "$workspace/dist" ]; then rm -rf -- "$workspace"; fi
done
rm -rf -- package-lock.json .npmrc node_modules/.package-lock.json node_modules/.bin node_modules/@types

find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsx' -o -name '*.map' \
  -o -name '*.tsbuildinfo' -o -name '*.flow' \) -delete
# Links to removed workspaces.
find . -xtype l -delete
find . -depth -type d -empty -delete
chmod -R a+rX .
