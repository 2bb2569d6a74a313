// SPDX-License-Identifier: LGPL-2.1-or-later
/* Implement the native methods of the Java class PCL. */
#include <jni.h>
#include <stdbool.h>

#include "pcl.h"

/* javac -h generates these declarations. */
JNIEXPORT jlong JNICALL Java_PCL_init(JNIEnv *env, jclass class);
JNIEXPORT jint JNICALL Java_PCL_exit(JNIEnv *env, jclass class, jlong handle);
JNIEXPORT jint JNICALL Java_PCL_query(JNIEnv *env, jclass class, jlong handle,
				      jintArray events, jint number, jint mode);
JNIEXPORT jint JNICALL Java_PCL_start(JNIEnv *env, jclass class, jlong handle,
				      jintArray events, jint number, jint mode);
JNIEXPORT jint JNICALL Java_PCL_read(JNIEnv *env, jclass class, jlong handle,
				     jlongArray counts, jdoubleArray ratios,
				     jint number);
JNIEXPORT jint JNICALL Java_PCL_stop(JNIEnv *env, jclass class, jlong handle,
				     jlongArray counts, jdoubleArray ratios,
				     jint number);
JNIEXPORT jstring JNICALL Java_PCL_name(JNIEnv *env, jclass class, jint event);

static PCL_DESCR_TYPE descr_of(jlong handle)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): Java has no pointers */
	return (PCL_DESCR_TYPE)(intptr_t)handle;
}

jlong Java_PCL_init(JNIEnv *env, jclass class)
{
	PCL_DESCR_TYPE descr;

	(void)env;
	(void)class;
	return PCLinit(&descr) ? 0 : (jlong)(intptr_t)descr;
}

jint Java_PCL_exit(JNIEnv *env, jclass class, jlong handle)
{
	(void)env;
	(void)class;
	return PCLexit(descr_of(handle));
}

/* Return whether an array has at least @number elements, or is null. */
static bool is_long_enough(JNIEnv *env, jarray array, jint number)
{
	return !array || (*env)->GetArrayLength(env, array) >= number;
}

/* Call PCLquery() or PCLstart() with a copy of Java's array. */
static jint
with_events(int (*use)(PCL_DESCR_TYPE, const int *, int, unsigned int),
	    JNIEnv *env, jlong handle, jintArray events, jint number, jint mode)
{
	jint list[PCL_MAX_EVENT_PER_CALL] = { 0 };

	if (!events || !is_long_enough(env, events, number))
		return PCL_FAILURE;
	if (number > 0 && number <= PCL_MAX_EVENT_PER_CALL)
		(*env)->GetIntArrayRegion(env, events, 0, number, list);
	return use(descr_of(handle), list, number, (unsigned int)mode);
}

jint Java_PCL_query(JNIEnv *env, jclass class, jlong handle, jintArray events,
		    jint number, jint mode)
{
	(void)class;
	return with_events(PCLquery, env, handle, events, number, mode);
}

jint Java_PCL_start(JNIEnv *env, jclass class, jlong handle, jintArray events,
		    jint number, jint mode)
{
	(void)class;
	return with_events(PCLstart, env, handle, events, number, mode);
}

/* Call PCLread() or PCLstop() with copies of Java's arrays, which may be null. */
static jint with_results(int (*use)(PCL_DESCR_TYPE, PCL_CNT_TYPE *,
				    PCL_FP_CNT_TYPE *, int),
			 JNIEnv *env, jlong handle, jlongArray counts,
			 jdoubleArray ratios, jint number)
{
	jlong integers[PCL_MAX_EVENT_PER_CALL];
	jdouble reals[PCL_MAX_EVENT_PER_CALL];
	jint status;

	if (number < 1 || number > PCL_MAX_EVENT_PER_CALL ||
	    !is_long_enough(env, counts, number) ||
	    !is_long_enough(env, ratios, number))
		return PCL_FAILURE;
	/*
	 * Copy the arrays, because the call does not change the elements that belong to the
	 * other array.
	 */
	if (counts)
		(*env)->GetLongArrayRegion(env, counts, 0, number, integers);
	if (ratios)
		(*env)->GetDoubleArrayRegion(env, ratios, 0, number, reals);
	status = use(descr_of(handle), counts ? (PCL_CNT_TYPE *)integers : NULL,
		     ratios ? reals : NULL, number);
	if (status)
		return status;
	if (counts)
		(*env)->SetLongArrayRegion(env, counts, 0, number, integers);
	if (ratios)
		(*env)->SetDoubleArrayRegion(env, ratios, 0, number, reals);
	return PCL_SUCCESS;
}

jint Java_PCL_read(JNIEnv *env, jclass class, jlong handle, jlongArray counts,
		   jdoubleArray ratios, jint number)
{
	(void)class;
	return with_results(PCLread, env, handle, counts, ratios, number);
}

jint Java_PCL_stop(JNIEnv *env, jclass class, jlong handle, jlongArray counts,
		   jdoubleArray ratios, jint number)
{
	(void)class;
	return with_results(PCLstop, env, handle, counts, ratios, number);
}

jstring Java_PCL_name(JNIEnv *env, jclass class, jint event)
{
	const char *name = PCLeventname(event);

	(void)class;
	return name ? (*env)->NewStringUTF(env, name) : NULL;
}
