// The embedded database is frozen: it learns a new command or operator only for a caller in the product, with which it
// is then named here.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commandNames } from "../src/commands/dispatch.ts";

const ROOT = path.resolve(import.meta.dirname, "../src");

const COMMANDS =
  "abortTransaction aggregate buildInfo buildinfo bulkWrite collMod collStats collstats commitTransaction connectionStatus count create createIndexes createSearchIndexes currentOp dataSize dbStats dbstats delete deleteIndexes distinct drop dropDatabase dropIndexes dropSearchIndex endSessions explain features find findAndModify findandmodify fsync getCmdLineOpts getDefaultRWConcern getLog getMore getParameter hello hostInfo insert isMaster ismaster killCursors killOp killSessions listCollections listDatabases listIndexes listSearchIndexes ping planCacheClear refreshSessions renameCollection replSetGetStatus rolesInfo serverStatus startSession top update updateSearchIndex usersInfo validate whatsmyuri";
const OPERATORS =
  "$abs $accumulator $add $addFields $addToSet $all $alwaysFalse $alwaysTrue $and $arrayElemAt $arrayToObject $avg $bit $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $bottom $bottomN $bsonSize $bucket $bucketAuto $ceil $changeStream $cmp $collStats $comment $concat $concatArrays $cond $const $convert $count $currentDate $currentOp $db $densify $divide $documents $each $elemMatch $eq $exists $expr $facet $field $fill $filter $first $firstN $floor $function $geoIntersects $geoNear $geoWithin $getField $graphLookup $group $gt $gte $id $ifNull $in $inc $indexOfArray $indexStats $isArray $isNumber $jsonSchema $last $lastN $let $limit $listSessions $literal $lookup $lt $lte $ltrim $map $match $max $maxN $merge $mergeObjects $meta $min $minN $mod $mul $multiply $ne $near $nearSphere $nin $nor $not $objectToArray $options $or $out $planCacheStats $pop $position $pow $project $pull $pullAll $push $rand $range $redact $reduce $ref $regex $rename $replaceAll $replaceOne $replaceRoot $replaceWith $reverseArray $round $rtrim $sample $sampleRate $search $searchMeta $set $setField $setOnInsert $setWindowFields $size $skip $slice $sort $sortArray $sortByCount $split $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch $text $toBool $toDate $toDecimal $toDouble $toInt $toLong $toLower $toObjectId $toString $toUUID $toUpper $top $topN $trim $trunc $type $unionWith $unset $unsetField $unwind $vectorSearch $where $within";

test("commands: those that are answered are those that somebody sends", () => {
  expect(new Set(commandNames())).toEqual(new Set(COMMANDS.split(" ")));
});

test("operators: those that are known are those that somebody uses", () => {
  const files = globSync("{expressions,query,fields,aggregate,update,project}/*.ts", { cwd: ROOT });
  const sources = files.map((file) => readFileSync(path.join(ROOT, file), "utf8")).join("");
  const names = new Set([...sources.matchAll(/"(\$[a-zA-Z]+)"/g)].map(([, name = ""]) => name));
  expect(names).toEqual(new Set(OPERATORS.split(" ")));
});
