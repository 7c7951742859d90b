// Saves pictures of the page of a program that runs, one after the other, until it is ended.
//
// Arguments: the link, "pictures". A line tells of each picture.
const { open, run } = require("./session");

const link = process.argv[2];

async function pictures() {
  const page = await open(link, { acceptDownloads: true });
  await page.evaluate(() => document.querySelector("#to-Export").click());
  for (;;) {
    const file = page.waitForEvent("download");
    await page.evaluate(() => document.querySelector("#save-picture").click());
    await (await file).delete();
    process.stderr.write("a picture\n");
  }
}

run({ pictures });
