package dev.rechunker.io.tiff;

/** The numbers of the tags that are read. */
final class Tags {
    static final int SUBFILE_TYPE = 254;
    static final int WIDTH = 256;
    static final int HEIGHT = 257;
    static final int BITS = 258;
    static final int COMPRESSION = 259;
    static final int PHOTOMETRIC = 262;
    static final int FILL_ORDER = 266;
    static final int DESCRIPTION = 270;
    static final int STRIP_OFFSETS = 273;
    static final int SAMPLES = 277;
    static final int ROWS_PER_STRIP = 278;
    static final int STRIP_COUNTS = 279;
    static final int X_RESOLUTION = 282;
    static final int Y_RESOLUTION = 283;
    static final int PLANAR = 284;
    static final int SOFTWARE = 305;
    static final int DATE_TIME = 306;
    static final int PREDICTOR = 317;
    static final int COLOR_MAP = 320;
    static final int TILE_WIDTH = 322;
    static final int TILE_HEIGHT = 323;
    static final int TILE_OFFSETS = 324;
    static final int TILE_COUNTS = 325;
    static final int SUB_IFDS = 330;
    static final int SAMPLE_FORMAT = 339;
    static final int JPEG_TABLES = 347;
    static final int IMAGE_DEPTH = 32997;
    static final int PIXEL_SCALE = 33550;
    static final int TIEPOINT = 33922;
    static final int MATRIX = 34264;
    static final int GEO_KEYS = 34735;
    static final int GEO_TEXTS = 34737;
    static final int GDAL_METADATA = 42112;
    static final int GDAL_NODATA = 42113;

    private Tags() {}
}
